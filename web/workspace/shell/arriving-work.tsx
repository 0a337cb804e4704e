import "../../styles/arriving-work.css";

// The portal styles it differently.
export { ArrivingWork } from "../../parts/loading/arriving-work.tsx";
