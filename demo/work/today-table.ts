import type { DemoOrder } from "./orders.ts";
import type { Fields } from "./timeline.ts";
import type { PageNotificationKind, PersonAtWork } from "./today-traces.ts";

export type TodayStep = {
  by: string;
  /** fields of the request; team and member by short name, `waiting_days` from now */
  set?: Fields;
  /** a note that the requester reads; "@soren" mentions somebody */
  note?: string;
  internal?: string;
  /** what the bell tells the holder of it */
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
  /** who works on it; null: nobody yet, or somebody else */
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
    subject: "VPN drops every few minutes for the Kobe office", note: "Since this morning the connection to Eindhoven drops every few minutes. The whole office has it, with cable and without.",
    steps: [pass("luca", "networks", "Not the laptops: twelve people at once."), take("soren", "in_progress", "I see the tunnel restart. Looking at the line first."), { by: "kenji", note: "Right now it is down completely. We cannot book anything.", tells: "answer" }] },
  { ...soren, ...europe, ...incident, impact: "top", target: ["resolution", 19], requester: "juno", unread: true, watchers: ["ines"],
    subject: "Wireless drops on floor 4, Tower Eindhoven", note: "Wireless on floor 4 is hardly usable since this morning. My laptop finds the network, connects, and drops again after a minute. Others have it too, it is worst near Lab 2.14 and the meeting room Prism.",
    steps: [pass("luca", "networks", "Six calls from the same floor within ten minutes."), take("soren", "in_progress", "Hello Juno, thank you. I see four access points on your floor restarting. I am on it and will tell you within the hour what it is."), { by: "bram", set: { major_incident_status: "accepted" } }, { by: "juno", note: "It comes back for a minute, then drops again. The whole lab is on one cable now.", tells: "answer" }, { by: "amara", internal: "Controller shows AP-EHV-41 to 44 rebooting in a loop since the early morning. Looks like firmware 6.2 again. Rolling back 41 first, @soren please hold the others.", tells: "mention" }] },
  { ...nobody, ...europe, ...incident, impact: "medium", target: ["response", 46], requester: "fatima", registeredBy: "luca",
    subject: "No network at desk 5.03-B after the move", note: "Since the move to floor 5 her docking station has a light but no connection. The colleague at 5.04 works. The socket is labelled 5.03-B.",
    steps: [pass("luca", "networks", "Cable and dock are fine, tried both at 5.04.")] },
  { ...soren, ...europe, ...rfi, target: ["response", 108], requester: "clara",
    subject: "Guest wireless for four visitors from Tidewater", note: "Four people from Tidewater Surveying visit us this week. How do they get on the internet, and can it be ready before they arrive?",
    steps: [pass("maeve", "networks", "More than one day, so not for the front desk."), take("soren", "accepted", "I prepare codes for the whole week. You get them by mail.")] },
  { ...nobody, ...telephony, ...rfc, target: ["response", 185], requester: "dario",
    subject: "Mobile data in Vietnam from Thursday", note: "I travel to Vietnam on Thursday for ten days and need data on the phone there.",
    steps: [pass("maeve", "networks", "Not in the bundle, so you decide.")] },
  { ...nobody, ...access, ...incident, impact: "medium", target: ["resolution", 220], requester: "basil",
    subject: "Locked out after a change of password, London", note: "I changed my password yesterday. Since then I am locked out every hour.",
    steps: [pass("maeve", "identity", "Unlocked three times, it comes back."), take("noor", "in_progress", "An old phone still has the old password, I think. Do you have one in a drawer?"), { by: "basil", note: "Two, actually." }] },
  { ...nobody, ...telephony, ...rfc, target: ["response", 232], requester: "theo",
    subject: "Roaming for Kenya, service trip", note: "Two of us go to Kenya for the installation at the Observatory. Please switch on roaming.",
    steps: [pass("luca", "networks", "Starts next week.")] },
  { ...nobody, ...asia, ...incident, impact: "high", target: ["resolution", 150], requester: "ravi", watchers: ["soren"],
    subject: "Line to Bengaluru loses packets", note: "Calls stutter and builds take twice as long.",
    steps: [pass("priya", "networks", "Measured: more than two percent, both ways."), take("amara", "in_progress", "The provider confirms a fault. They change a module this afternoon.")] },
  { ...soren, ...europe, ...incident, impact: "low", target: ["response", 80], requester: "linnea", unread: true,
    subject: "Socket 2.14-B in the laboratory is dead", note: "The test bench of the theodolite T4 has no connection. The socket beside it works.",
    steps: [pass("luca", "networks", "Port shows no link."), { by: "amara", set: { member: "soren", status: "accepted" }, internal: "@soren you are there for the switches today, could you take this one along?", tells: "assignment" }] },
  { ...soren, ...access, ...incident, impact: "medium", target: ["resolution", 390], requester: "pascal",
    subject: "Second factor asks twice a day", note: "Since the update I confirm my sign-in twice a day. My colleagues once a week.",
    steps: [pass("maeve", "identity", "Same device, same network, so not the usual reasons."), take("soren", "in_progress", "Your laptop is known under two names. I merge them this afternoon.")] },
  { ...soren, ...europe, ...rfc, target: ["response", 205], requester: "hendrik",
    subject: "Add the label printers to the new network", note: "Six label printers in the works still hang on the old network. Please move them before it is switched off.",
    steps: [pass("luca", "networks", "List of the six is in the folder of the works."), take("soren", "accepted", "Planned together with the move of the switches.")] },
  { ...soren, ...access, ...rfc, target: ["response", 236], requester: "tess",
    subject: "Access to the log server for the auditors", note: "Two external auditors need to read the sign-in logs, for two weeks.",
    steps: [pass("maeve", "identity", "Approved by Hanna, mail attached."), take("soren", "accepted")] },
  { ...soren, ...europe, ...incident, impact: "medium", target: null, daysAgo: 1, requester: "zofia",
    subject: "VPN asks for a code again and again", note: "From home VPN asks for a code every ten minutes.",
    steps: [pass("maeve", "networks", "The article did not help."), take("soren", "in_progress"), ask("soren", "Does it also happen with the hotspot of your phone?")] },
  { ...soren, ...telephony, ...incident, impact: "low", target: null, daysAgo: 3, requester: "wanda",
    subject: "Echo in calls with the headset", note: "Everybody I call hears themselves. With the telephone itself it is fine.",
    steps: [pass("luca", "networks", "Another headset, same echo."), take("soren", "in_progress", "I changed the level of the microphone. Better?"), { by: "wanda", note: "A little. Not in the meeting room.", tells: "answer" }, ask("soren", "Which room is it? I come by with another base station.")] },
  { ...soren, ...telephony, ...rfc, target: null, daysAgo: 4, requester: "clara",
    subject: "Forward the number of the sales desk", note: "During the fair calls to the sales desk should go to Fatima.",
    steps: [take("luca", "accepted"), { by: "luca", set: { team: "networks", member: "soren" }, internal: "Needs the new exchange, so yours." }, ask("soren", "From which day on, and until when?")] },
  { ...soren, ...europe, ...incident, impact: "low", target: null, daysAgo: 2, requester: "bea",
    subject: "Access point in the canteen wing hangs loose", note: "It hangs from its cable above the salad.",
    steps: [pass("luca", "networks", "Needs a ladder and a quiet hour."), take("soren", "in_progress"), { by: "soren", set: { status: "waiting_for", waiting_days: 2 }, note: "Facilities lends us the platform then. Until that day please sit on the other side." }] },
  { ...soren, ...asia, category: "other", target: null, daysAgo: 3, requester: "aiko",
    subject: "Which wireless channels do we use in Kobe?", note: "We set up a measuring device that wants a free one.",
    steps: [pass("hiro", "networks", "No idea, sorry."), take("soren", "accepted")] },

  // the administrator, who helps out in information security
  { ...ines, ...security, ...incident, impact: "high", target: ["resolution", 52], requester: "dario", unread: true,
    subject: "Laptop left on a train", note: "My laptop is on its way to Brussels, without me. It was locked.",
    steps: [pass("maeve", "security", "Serial number and train are in the note of the call."), take("ines", "in_progress", "The disk is encrypted and the laptop is blocked. Please report it to the railway, too."), { by: "hanna", internal: "@ines has anybody told Simon? He wants to know of these within the day.", tells: "mention" }] },
  { ...ines, ...security, ...rfi, target: ["response", 95], requester: "tess",
    subject: "Who holds administrator rights, for the audit", note: "Please send the list of those with administrator rights at the end of the quarter, and who approved each.",
    steps: [pass("luca", "security", "For the audit, so not a question of the desk."), take("ines", "accepted", "You get it today, with the approvals.")] },
  { ...ines, ...security, ...incident, impact: "medium", target: ["response", 50], requester: "linnea",
    subject: "Certificate of the calibration service expires", note: "The bench warns that its certificate expires in nine days.",
    steps: [pass("luca", "security", "Nobody here knows who made it."), take("ines", "accepted")] },
  { ...ines, ...security, ...incident, impact: "medium", target: ["resolution", 400], requester: "wanda",
    subject: "List of passwords found beside a printer", note: "Found this morning beside the printer on floor 3. I have it in a drawer now.",
    steps: [pass("luca", "security", "Did not look at it."), take("ines", "in_progress", "Thank you for keeping it. I come and fetch it."), { by: "wanda", note: "It is still in the drawer.", tells: "answer" }] },
  { ...ines, ...security, ...rfc, target: ["resolution", 900], requester: "linnea",
    subject: "Exception from the screen lock in the laboratory", note: "A measurement takes 40 minutes, and the screen must not lock in between.",
    steps: [pass("luca", "security", "Against the policy, so you decide."), take("ines", "in_progress", "Possible for computers that have no mail. I need their names.")] },
  { ...ines, ...security, ...rfi, target: ["resolution", 700], requester: "freya",
    subject: "A supplier wants our security questionnaire", note: "Forty pages, by the end of the week if possible.",
    steps: [pass("maeve", "security", "With the answers of last year attached."), take("ines", "in_progress")] },
  { ...ines, ...security, ...rfi, target: null, daysAgo: 3, requester: "simon",
    subject: "What we still hold about a former colleague", note: "A former colleague asks what we hold about them. I have to answer within a month.",
    steps: [pass("maeve", "security", "Legal, with a date."), take("ines", "in_progress"), ask("ines", "Under which name, and in which years? The name changed in between, I believe.")] },
  { ...ines, ...security, ...rfc, target: null, daysAgo: 5, requester: "hanna",
    subject: "Test of the alarm chain", note: "Once a year somebody has to ring everybody at night. This year it is us.",
    steps: [{ by: "hanna", set: { team: "security", member: "hanna", status: "accepted" } }, { by: "hanna", set: { member: "ines" }, internal: "Yours this year.", tells: "assignment" }, { by: "ines", set: { status: "waiting_for", waiting_days: 3 }, note: "The date is fixed. Nobody is told." }] },

  // the requester
  { ...nobody, instance: "computer", ...incident, impact: "medium", target: null, daysAgo: 1, requester: "juno",
    subject: "Raytrace says there is no license", note: "Raytrace does not start since yesterday and complains about a license. I need it for the long telescope.",
    steps: [pass("luca", "end-user", "The license server answers, so it is the client."), take("felix", "in_progress"), ask("felix", "Which message does it show, word for word? A picture is fine.")] },
  { ...nobody, instance: "computer", ...rfc, target: ["resolution", 2600], requester: "juno",
    subject: "A second screen for Lab 2.14", note: "For the bench beside the window, so that two of us can look at the same time.",
    steps: [pass("luca", "end-user", "There is one in the store."), take("felix", "in_progress", "One is reserved for you. I bring it this week.")] },
  { ...nobody, ...access, ...incident, impact: "low", target: null, daysAgo: 1, requester: "juno",
    subject: "Cannot open the folder Test protocols", note: "Since I changed the team I no longer see the folder Test protocols.",
    steps: [pass("luca", "identity", "Moved from Firmware to Optics last week."), take("noor", "in_progress"), { by: "noor", set: { status: "completed", completion_reason: "solved", note: "You are in the group of the laboratory now. Sign out and in once, then the folder is there." } }] },
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
  /** somebody has approved already */
  approved?: { by: string; note: string; checked: readonly string[] };
  /** the task is no approval, and has this status */
  taken?: string;
  /** the order that is to be approved */
  order?: DemoOrder;
};

// biome-ignore format: a table keeps its columns
export const todayWorkflows: readonly TodayWorkflow[] = [
  { template: "switches",  manager: "otto",   subject: "Replace the switches on floor 6",      task: { who: "soren", subject: "Approve: replace the switches on floor 6" }, duration: 480,  due: 32, approved: { by: "hanna", note: "Fine for security. Please keep the old configuration for two weeks.", checked: ["The window does not collide with the month end in Prisma", "The laboratory has been asked"] } },
  { template: "emergency", manager: "gareth", subject: "Port 2.14-B on the new switch",        task: { who: "soren", subject: "Cut over port 2.14-B to the new switch" },   duration: 1440, due: 140, taken: "in_progress" },
  { template: "purchase",  manager: "otto",   subject: "Licences for the screen recorder",     task: { who: "ines",  subject: "Approve: licences for the screen recorder" }, duration: 480, due: 75 },
  { template: "purchase",  manager: "otto",   subject: "A spare router for Kobe",              task: { who: "ines",  subject: "Approve: a spare router for Kobe" },          duration: 480, due: 280 },
  { template: "purchase",  manager: "otto",   subject: "Phone and screens for Juno",           task: { who: "ines",  subject: "Approve: phone and screens for Juno" },       duration: 480, due: 340,
    order: { who: "juno", member: "luca", lines: { pebble: 1, "screen-27": 2 }, reason: "From next month on I'm on call for the test bench, and my phone can't run the alarm app. The screens are for the second desk in Lab 2.14." } },
  { template: "purchase",  manager: "otto",   subject: "Training for two analysts",            task: { who: "ines",  subject: "Approve: training for two analysts" },        duration: 480, due: 450 },
];
