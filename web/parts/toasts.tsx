// Loaded together, after the page.
export { Notifications, notifications } from "@mantine/notifications";
