import type { DemoOrder } from "./orders.ts";
import type { Fields } from "./timeline.ts";
import type { PageNotificationKind, PersonAtWork } from "./today-traces.ts";

export type TodayStep = {
  by: string;
  /** fields of the request; team and member by short name, `waiting_days` from now */
  set?: Fields;
  /** a note that the requester reads; "@soren" mentions a person */
  note?: string;
  internal?: string;
  /** the kind of page notification for its holder */
  tells?: PageNotificationKind;
};

export type TodayRequest = {
  subject: string;
  note: string;
  instance: string;
  category: "incident" | "rfc" | "rfi" | "other";
  impact?: "low" | "medium" | "high" | "top";
  requester: string;
  registeredBy?: string;
  /** the person who works on it; null: no one yet, or another person */
  holder: PersonAtWork | null;
  /** which target is next, and in how many minutes; null: none is running */
  target: readonly ["response" | "resolution", number] | null;
  /** where no target is running */
  daysAgo?: number;
  /** not yet read by its holder */
  unread?: true;
  watchers?: readonly string[];
  steps: readonly TodayStep[];
};

const pass = (by: string, team: string, internal: string): TodayStep => ({ by, set: { team }, internal });
const take = (by: string, status: string, note?: string): TodayStep => ({
  by,
  set: { member: by, status },
  ...(note === undefined ? {} : { note }),
});
const ask = (by: string, note: string): TodayStep => ({ by, set: { status: "waiting_for_customer" }, note });

const europe = { instance: "network-europe" };
const asia = { instance: "network-asia" };
const telephony = { instance: "telephony" };
const access = { instance: "access" };
const security = { instance: "security" };
const incident = { category: "incident" } as const;
const rfc = { category: "rfc" } as const;
const rfi = { category: "rfi" } as const;
const soren = { holder: "soren" } as const;
const ines = { holder: "ines" } as const;
const nobody = { holder: null } as const;

// biome-ignore format: a table keeps its columns
export const todayRequests: readonly TodayRequest[] = [
  // the specialist
  { ...soren, ...asia, ...incident, impact: "high", target: ["resolution", -38], requester: "kenji", unread: true,
    subject: "VPN keeps dropping for the whole Kobe office", note: "Since this morning our connection to Eindhoven has been dropping every few minutes. It affects the whole office, both wired and on Wi-Fi.",
    steps: [pass("luca", "networks", "Not a laptop problem. Twelve people have it at once."), take("soren", "in_progress", "I can see the tunnel restarting. I'm checking the line first."), { by: "kenji", note: "It's completely down now. We can't process any orders.", tells: "answer" }] },
  { ...soren, ...europe, ...incident, impact: "top", target: ["resolution", 19], requester: "juno", unread: true, watchers: ["ines"],
    subject: "Wi-Fi keeps dropping on floor 4, Eindhoven Tower", note: "The Wi-Fi on floor 4 has been almost unusable since this morning. My laptop connects and then drops again after a minute. My colleagues have the same problem. It's worst near Lab 2.14 and the Prism meeting room.",
    steps: [pass("luca", "networks", "Six calls from the same floor in ten minutes."), take("soren", "in_progress", "Hi Juno, thanks for reporting this. Four access points on your floor are restarting. I'm on it and will update you within the hour."), { by: "bram", set: { major_incident_status: "accepted" } }, { by: "juno", note: "It comes back for a minute and then drops again. The whole lab is sharing one cable now.", tells: "answer" }, { by: "amara", internal: "The controller shows AP-EHV-41 to 44 in a reboot loop since early this morning. Looks like firmware 6.2 again. I'm rolling back 41 first. @soren, please leave the others for now.", tells: "mention" }] },
  { ...nobody, ...europe, ...incident, impact: "medium", target: ["response", 46], requester: "fatima", registeredBy: "luca",
    subject: "No network at desk 5.03-B after the move", note: "Since the move to floor 5, her docking station has power but no network. Her colleague at 5.04 is fine. The port is labeled 5.03-B.",
    steps: [pass("luca", "networks", "The cable and dock are fine. I tried both at 5.04.")] },
  { ...soren, ...europe, ...rfi, target: ["response", 108], requester: "clara",
    subject: "Guest Wi-Fi for four visitors from Tidewater", note: "Four people from Tidewater Surveying are visiting us this week. How do they get online, and can we have it ready before they arrive?",
    steps: [pass("maeve", "networks", "It's for more than a day, so the front desk can't issue codes."), take("soren", "accepted", "I'll set up codes for the whole week and email them to you.")] },
  { ...nobody, ...telephony, ...rfc, target: ["response", 185], requester: "dario",
    subject: "Mobile data in Vietnam from Thursday", note: "I'm traveling to Vietnam on Thursday for ten days and need mobile data there.",
    steps: [pass("maeve", "networks", "Not included in our plan, so it's your call.")] },
  { ...nobody, ...access, ...incident, impact: "medium", target: ["resolution", 220], requester: "basil",
    subject: "Account keeps locking after password change, London", note: "I changed my password yesterday, and I've been locked out every hour since.",
    steps: [pass("maeve", "identity", "Unlocked it three times, but it keeps coming back."), take("noor", "in_progress", "I think an old phone still has your old password. Do you have one in a drawer somewhere?"), { by: "basil", note: "Two, actually." }] },
  { ...nobody, ...telephony, ...rfc, target: ["response", 232], requester: "theo",
    subject: "Roaming in Kenya for a service trip", note: "Two of us are going to Kenya for the observatory installation. Please enable roaming.",
    steps: [pass("luca", "networks", "They leave next week.")] },
  { ...nobody, ...asia, ...incident, impact: "high", target: ["resolution", 150], requester: "ravi", watchers: ["soren"],
    subject: "Packet loss on the line to Bengaluru", note: "Calls are breaking up and builds take twice as long.",
    steps: [pass("priya", "networks", "I measured more than 2% loss in both directions."), take("amara", "in_progress", "The provider has confirmed a fault. They're replacing a module this afternoon.")] },
  { ...soren, ...europe, ...incident, impact: "low", target: ["response", 80], requester: "linnea", unread: true,
    subject: "Network port 2.14-B in the lab is dead", note: "The T4 theodolite test bench has no network. The port next to it works.",
    steps: [pass("luca", "networks", "No link on the port."), { by: "amara", set: { member: "soren", status: "accepted" }, internal: "@soren, you're there for the switches today. Could you take this one too?", tells: "assignment" }] },
  { ...soren, ...access, ...incident, impact: "medium", target: ["resolution", 390], requester: "pascal",
    subject: "Asked for second factor twice a day", note: "Since the update I have to confirm my sign-in twice a day. My colleagues only do it once a week.",
    steps: [pass("maeve", "identity", "Same device, same network, so it's none of the usual causes."), take("soren", "in_progress", "Your laptop is registered under two names. I'll merge them this afternoon.")] },
  { ...soren, ...europe, ...rfc, target: ["response", 205], requester: "hendrik",
    subject: "Move the label printers to the new network", note: "Six label printers in the factory are still on the old network. Please move them before it's shut down.",
    steps: [pass("luca", "networks", "The list of printers is in the factory's folder."), take("soren", "accepted", "Scheduled together with the switch replacement.")] },
  { ...soren, ...access, ...rfc, target: ["response", 236], requester: "tess",
    subject: "Access to the log server for the auditors", note: "Two external auditors need read access to the sign-in logs for two weeks.",
    steps: [pass("maeve", "identity", "Approved by Hanna, email attached."), take("soren", "accepted")] },
  { ...soren, ...europe, ...incident, impact: "medium", target: null, daysAgo: 1, requester: "zofia",
    subject: "VPN keeps asking for a code", note: "When I work from home, VPN asks for a code every ten minutes.",
    steps: [pass("maeve", "networks", "The article didn't help."), take("soren", "in_progress"), ask("soren", "Does it also happen over your phone's hotspot?")] },
  { ...soren, ...telephony, ...incident, impact: "low", target: null, daysAgo: 3, requester: "wanda",
    subject: "Echo on calls with my headset", note: "Everyone I call hears an echo. It's fine without the headset.",
    steps: [pass("luca", "networks", "Tried another headset, same echo."), take("soren", "in_progress", "I've adjusted the microphone level. Is it better now?"), { by: "wanda", note: "A little, but not in the meeting room.", tells: "answer" }, ask("soren", "Which room is it? I'll come by with another base station.")] },
  { ...soren, ...telephony, ...rfc, target: null, daysAgo: 4, requester: "clara",
    subject: "Forward calls for the sales desk", note: "During the trade show, please send calls for the sales desk to Fatima.",
    steps: [take("luca", "accepted"), { by: "luca", set: { team: "networks", member: "soren" }, internal: "This needs the new phone system, so it's yours." }, ask("soren", "What are the start and end dates?")] },
  { ...soren, ...europe, ...incident, impact: "low", target: null, daysAgo: 2, requester: "bea",
    subject: "Access point in the canteen wing has come loose", note: "It's hanging by its cable above the salad bar.",
    steps: [pass("luca", "networks", "Needs a ladder and a quiet hour."), take("soren", "in_progress"), { by: "soren", set: { status: "waiting_for", waiting_days: 2 }, note: "Facilities is lending us the platform in two days. Until then, please sit on the other side." }] },
  { ...soren, ...asia, category: "other", target: null, daysAgo: 3, requester: "aiko",
    subject: "Which wireless channels do we use in Kobe?", note: "We're setting up a measuring device that needs a free channel.",
    steps: [pass("hiro", "networks", "No idea, sorry."), take("soren", "accepted")] },

  // the administrator, who helps out in information security
  { ...ines, ...security, ...incident, impact: "high", target: ["resolution", 52], requester: "dario", unread: true,
    subject: "Laptop left on a train", note: "My laptop is on its way to Brussels without me. It was locked.",
    steps: [pass("maeve", "security", "The serial number and train number are in the call notes."), take("ines", "in_progress", "The disk is encrypted and I've blocked the laptop. Please also report it to the rail company."), { by: "hanna", internal: "@ines, has anyone told Simon? He needs to know about these the same day.", tells: "mention" }] },
  { ...ines, ...security, ...rfi, target: ["response", 95], requester: "tess",
    subject: "List of administrators for the audit", note: "Please send me everyone who had administrator rights at the end of the quarter, and who approved each of them.",
    steps: [pass("luca", "security", "For the audit, so not one for the desk."), take("ines", "accepted", "You'll have it today, including the approvals.")] },
  { ...ines, ...security, ...incident, impact: "medium", target: ["response", 50], requester: "linnea",
    subject: "Calibration service certificate is about to expire", note: "The test bench warns that its certificate expires in nine days.",
    steps: [pass("luca", "security", "No one here knows who created it."), take("ines", "accepted")] },
  { ...ines, ...security, ...incident, impact: "medium", target: ["resolution", 400], requester: "wanda",
    subject: "List of passwords found next to a printer", note: "I found it this morning next to the printer on floor 3. It's in my drawer now.",
    steps: [pass("luca", "security", "I haven't looked at it."), take("ines", "in_progress", "Thanks for keeping it safe. I'll come and pick it up."), { by: "wanda", note: "It's still in my drawer.", tells: "answer" }] },
  { ...ines, ...security, ...rfc, target: ["resolution", 900], requester: "linnea",
    subject: "Screen lock exception for the lab", note: "Measurements take 40 minutes, and the screen mustn't lock while they run.",
    steps: [pass("luca", "security", "Against policy, so it's your call."), take("ines", "in_progress", "That's possible for computers without email. Please send me their names.")] },
  { ...ines, ...security, ...rfi, target: ["resolution", 700], requester: "freya",
    subject: "Security questionnaire from a supplier", note: "It's forty pages. They'd like it by the end of the week if possible.",
    steps: [pass("maeve", "security", "Last year's answers are attached."), take("ines", "in_progress")] },
  { ...ines, ...security, ...rfi, target: null, daysAgo: 3, requester: "simon",
    subject: "Data request from a former employee", note: "A former employee is asking what data we hold about them. I have to respond within a month.",
    steps: [pass("maeve", "security", "From Legal, with a deadline."), take("ines", "in_progress"), ask("ines", "Under which name, and for which years? I believe their name changed in between.")] },
  { ...ines, ...security, ...rfc, target: null, daysAgo: 5, requester: "hanna",
    subject: "Emergency call chain test", note: "Once a year someone has to call everyone in the middle of the night. This year it's our turn.",
    steps: [{ by: "hanna", set: { team: "security", member: "hanna", status: "accepted" } }, { by: "hanna", set: { member: "ines" }, internal: "It's yours this year.", tells: "assignment" }, { by: "ines", set: { status: "waiting_for", waiting_days: 3 }, note: "The date is set. We're not announcing it." }] },

  // the requester
  { ...nobody, instance: "computer", ...incident, impact: "medium", target: null, daysAgo: 1, requester: "juno",
    subject: "Raytrace says there's no license", note: "Raytrace hasn't started since yesterday. It complains about a license. I need it for the long telescope.",
    steps: [pass("luca", "end-user", "The license server is responding, so it must be the client."), take("felix", "in_progress"), ask("felix", "What exactly does the error message say? A screenshot is fine.")] },
  { ...nobody, instance: "computer", ...rfc, target: ["resolution", 2600], requester: "juno",
    subject: "Second monitor for Lab 2.14", note: "It's for the bench by the window, so two of us can work there at once.",
    steps: [pass("luca", "end-user", "We have one in stock."), take("felix", "in_progress", "I've reserved one for you and will bring it over this week.")] },
  { ...nobody, ...access, ...incident, impact: "low", target: null, daysAgo: 1, requester: "juno",
    subject: "Can't open the Test reports folder", note: "Since I changed teams I can no longer see the Test reports folder.",
    steps: [pass("luca", "identity", "Moved from Firmware to Optics last week."), take("noor", "in_progress"), { by: "noor", set: { status: "completed", completion_reason: "solved", note: "I've added you to the lab group. Sign out and back in, and you'll see the folder." } }] },
];

type TodayWorkflow = {
  template: string;
  manager: string;
  subject: string;
  /** its first task: what it is called, and whom it waits for */
  task: { subject: string; who: PersonAtWork };
  /** minutes of the task's template */
  duration: number;
  /** the task is due in so many minutes */
  due: number;
  /** one approver has approved already */
  approved?: { by: string; note: string; checked: readonly string[] };
  /** the task is no approval, and has this status */
  taken?: string;
  /** the order that is to be approved */
  order?: DemoOrder;
};

// biome-ignore format: a table keeps its columns
export const todayWorkflows: readonly TodayWorkflow[] = [
  { template: "switches",  manager: "otto",   subject: "Replace the switches on floor 6",      task: { who: "soren", subject: "Approve: replace the switches on floor 6" }, duration: 480,  due: 32, approved: { by: "hanna", note: "Fine from a security point of view. Please keep the old configuration for two weeks.", checked: ["The window doesn't overlap with month-end in Prisma", "The lab has agreed"] } },
  { template: "emergency", manager: "gareth", subject: "Move port 2.14-B to the new switch",        task: { who: "soren", subject: "Move port 2.14-B to the new switch" },   duration: 1440, due: 140, taken: "in_progress" },
  { template: "purchase",  manager: "otto",   subject: "Screen recorder licenses",     task: { who: "ines",  subject: "Approve: screen recorder licenses" }, duration: 480, due: 75 },
  { template: "purchase",  manager: "otto",   subject: "Spare router for Kobe",              task: { who: "ines",  subject: "Approve: spare router for Kobe" },          duration: 480, due: 280 },
  { template: "purchase",  manager: "otto",   subject: "Phone and screens for Juno",           task: { who: "ines",  subject: "Approve: phone and screens for Juno" },       duration: 480, due: 340,
    order: { who: "juno", member: "luca", lines: { pebble: 1, "screen-27": 2 }, reason: "From next month on I'm on call for the test bench, and my phone can't run the alarm app. The screens are for the second desk in Lab 2.14." } },
  { template: "purchase",  manager: "otto",   subject: "Training for two analysts",            task: { who: "ines",  subject: "Approve: training for two analysts" },        duration: 480, due: 450 },
];
