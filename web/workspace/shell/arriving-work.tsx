import "../../styles/arriving-work.css";

// The portal has styles of its own for it.
export { ArrivingWork } from "../../parts/loading/arriving-work.tsx";
