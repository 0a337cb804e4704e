import { inDays, type Row, type Table } from "./table.ts";

// Articles for people with a problem: first what it is about, then the steps to solve it.

const steps = (...lines: string[]): string => lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
const list = (...lines: string[]): string => lines.map((line) => `* ${line}`).join("\n");
const article = (
  service: string,
  subject: string,
  description: string,
  instructions: string,
  more: Row = { status: "validated" },
): Row => ({ service, subject, description, instructions, ...more });
const inside: Row = { status: "validated", end_users: false, key_contacts: false };
const draft: Row = { status: "work_in_progress" };
const fm: Row = { in: "quillhaven-fm", by: "greta", status: "validated" };

export const knowledge: Table = {
  type: "knowledge_article",
  in: "quillhaven-it",
  created: inDays(-260),
  by: "bram",
  rows: {
    password: article(
      "access",
      "Change your password",
      "You want a new password, or were told that yours expires soon.",
      `${steps("Connect to the office network, or to VPN when you are elsewhere.", "Open **account.quillhaven.example** and sign in.", "Choose **Change password**. Four words that have nothing to do with each other are long and easy to remember.", "Lock your screen and unlock it with the new password, so that your laptop learns it, too.")}\n\nYour phone asks for the new password within the hour. Type it once, correctly: five wrong attempts lock the account for fifteen minutes.`,
      { status: "validated", keywords: "password, expired, change" },
    ),
    locked: article(
      "access",
      "Your account is locked",
      "Signing in says that the account is locked.",
      `After five wrong passwords an account is locked for **fifteen minutes**. Waiting is the quickest way.\n\nDoes it lock again and again? Then something still uses the old password:\n\n${list("the mail program on your phone or tablet", "a laptop you signed in to last month", "a network drive that was connected with **remember me**")}\n\nSwitch those off one by one, then call the service desk.`,
    ),
    twofactor: article(
      "access",
      "New phone: move the second factor",
      "You have a new phone and sign in with a code from the old one.",
      `Do this while the old phone still works.\n\n${steps("Open **account.quillhaven.example** and choose **Second factor**.", "Confirm with a code from the **old** phone.", "Scan the picture with the app on the **new** phone.", "Sign in once with a code from the new phone, then remove the old one.")}\n\nOld phone gone already? Come to a service desk with your badge. We do not do this by telephone, however nice you sound.`,
    ),
    vpn: article(
      "network",
      "Work from elsewhere",
      "You are at home, in a hotel or at a customer, and need what is on the network.",
      `${steps("Connect to the internet first: open any page of the outside world.", "Start **Quillhaven Connect** and press **Connect**.", "Confirm on your phone.")}\n\nNothing happens? Hotels often show a page that wants to be accepted first. Open a browser, accept, try again.`,
      { status: "validated", keywords: "vpn, home, hotel", template: "vpn" },
    ),
    wireless: article(
      "network",
      "Wireless is slow or drops",
      "The wireless network is there, but it is no pleasure.",
      `${steps("Look at the name: it should be **Quillhaven**, not **Quillhaven-Guest**.", "Switch wireless off and on again.", "Move a few metres. Lift shafts and the anechoic room swallow radio, as they should.", "Try a cable. If that is slow as well, it is not the wireless network.")}\n\nReport the floor and the nearest room number; with these we find the access point.`,
    ),
    guest: article(
      "network",
      "Internet for visitors",
      "A visitor needs the internet.",
      `Visitors use **Quillhaven-Guest**. The front desk gives a code for the day with the badge.\n\nFor more than ten visitors tell us two days ahead: we then make one code for all.`,
    ),
    mailbox: article(
      "mail",
      "Open a shared mailbox",
      "You were given access to the mailbox of a team and do not see it.",
      `It appears by itself within an hour. To be quicker:\n\n${steps("Close the mail program.", "Wait a minute; it writes down what it knows.", "Open it again and look below your own folders.")}\n\nStill missing after a day? Report the name of the mailbox and who granted the access.`,
      { status: "validated", keywords: "shared mailbox, team mailbox" },
    ),
    away: article(
      "mail",
      "Say that you are away",
      "You will be away and want people to know.",
      `${steps("In the calendar choose **Automatic replies**.", "Set first and last day. The replies stop by themselves.", "Name somebody who can help, and ask that person before you do.")}\n\nWrite two texts: one for colleagues, and a shorter one for everybody else.`,
    ),
    recall: article(
      "mail",
      "A message went to the wrong person",
      "You sent something to somebody who should not have it.",
      `Recalling a message works inside Quillhaven only, and only until it is read.\n\n${steps("Open the message in **Sent items** and choose **Recall**.", "Call the recipient. A friendly call does more than any technique.", "Does it hold personal data or a design? Report it as **A suspicious message** at once; we help, and nobody is blamed for reporting.")}`,
    ),
    "first-steps": article(
      "computer",
      "First steps with your new laptop",
      "You unpacked a laptop and would like to work with it.",
      `${steps("Connect it to power and to a cable network in the office, not to wireless.", "Sign in with your mail address.", "Go for a coffee. It installs for about forty minutes.", "Restart when it asks. It asks twice.", "Put the old laptop into the box and bring it to the service desk.")}\n\nYour files are in **Documents** as soon as the small cloud has stopped moving.`,
      { status: "validated", template: "new-laptop" },
    ),
    dock: article(
      "computer",
      "The docking station does not show the second screen",
      "One screen stays black at the dock.",
      `${steps("Unplug the dock from power for ten seconds. Count slowly.", "Plug the screens in again, first the left, then the right one.", "Press the Windows key and P, choose **Extend**.", "Try the other cable. One in twenty is bad.")}\n\nIf a screen works at a neighbour's dock, the dock is broken. We replace it the same day.`,
    ),
    slow: article(
      "computer",
      "Your computer is slow",
      "Everything takes longer than it did.",
      `${list("When did you **restart** the last time? Closing the lid is no restart.", "Is the disk nearly full? Below ten gigabytes free it slows down.", "Forty open browser tabs are forty small programs.")}\n\nIf none of these helps, report since when, and with which program. We look at it together, remotely, in a quarter of an hour.`,
    ),
    cad: article(
      "computer",
      "Draughtsman says there is no license",
      "Draughtsman CAD does not start because all licenses are in use.",
      `There are 25 licenses for everybody. One is given back when Draughtsman is **closed**, not when it is minimized.\n\n${steps("Wait five minutes and try again.", "Ask in the **CAD** channel who is having lunch with a drawing open.", "Urgent? The service desk sees who holds a license for longest.")}`,
    ),
    printer: article(
      "printing",
      "Print from anywhere, collect anywhere",
      "You want to print on a machine that is not yours.",
      `Print to **Quillhaven Follow**. Then hold your badge to **any** printer and choose what you want to have. What is not collected within a day is deleted.\n\nLabels go to the label printers of the works only: choose **Quillhaven Label**.`,
    ),
    jam: article(
      "printing",
      "Paper jam",
      "The printer says that paper is stuck.",
      `The display shows where. Open that door, and pull **slowly, in the direction of the paper**.\n\nA torn piece that cannot be reached is a task for Parchment and Pixel: report the number on the yellow sticker. Please do not use a ruler.`,
    ),
    restore: article(
      "files",
      "Get back an older version of a file",
      "You changed or deleted something and regret it.",
      `The last thirty days are within your reach:\n\n${steps("Open the **folder**, not the file, and click on it with the right button.", "Choose **Previous versions**.", "Open the version of the day you want, look at it, and **copy** what you need.")}\n\nFor anything older ask for **Restore a file**. We keep one year.`,
    ),
    folder: article(
      "files",
      "Who may see a team folder",
      "You want to know, or to change, who has access.",
      "Every folder has an owner: click on it with the right button, choose **Properties**, and look at **Owner**. The owner decides; we do what the owner says. If the owner has left, the manager of the organization decides.",
    ),
    order: article(
      "erp",
      "A sales order is blocked",
      "An order in Prisma shows a red lock.",
      `| Text beside the lock | What it means | Who helps |\n|---|---|---|\n| Credit | The customer owes us too much | Finance |\n| Export | The country is on a list | Legal |\n| Price | The margin is below the limit | Your sales director |\n| Technical | Something went wrong between two systems | IT: report it with the order number |`,
    ),
    month: article(
      "erp",
      "Before the month is closed",
      "You post in Prisma, and the month ends.",
      `Until 18:00 on the last working day:\n\n${steps("Confirm deliveries that have left the house.", "Post incoming invoices that you have checked.", "Release time sheets.")}\n\nAfter that the month is read only. A correction goes into the next month; Finance knows how.`,
      { status: "not_validated" },
    ),
    certificate: article(
      "portal",
      "A customer cannot find a calibration certificate",
      "A customer calls about a certificate that is not in the portal.",
      `${steps("Ask for the serial number, on the plate below the eyepiece.", "Search for the **serial number**, not for the order.", "Nothing? The certificate is published the night after the calibration. Look at the date of the calibration.", "Older than two days: report it with the serial number.")}`,
    ),
    phishing: article(
      "security",
      "Recognize a message that wants to cheat you",
      "A message asks you to hurry, to pay, or to sign in.",
      `${list("It is **urgent**, and it is **secret**. Real work is rarely both.", "The address below the name is not the one you expect.", "The link leads elsewhere than it says: let the mouse rest on it.")}\n\n**Do not click. Do not answer. Report it** with the button in the mail program. Clicked already? Report it all the same, at once. Nobody has ever been told off for that here.`,
      { status: "validated", keywords: "phishing, fraud, suspicious" },
    ),
    "desk-callback": article(
      "access",
      "For the service desk: reset a password safely",
      "Somebody calls and wants a new password.",
      `${steps("Say that you call back.", "Call the number **in the directory**, never the one on the display.", "Ask for the manager's name and one item on their desk list.", "Give a password that has to be changed at the first sign-in.")}\n\nWho is in a great hurry gets the same treatment, with more sympathy.`,
      inside,
    ),
    runbook: article(
      "databases",
      "For the team: the calibration database does not answer",
      "Monitoring reports **DB-CALIBRATION** as unreachable.",
      `${steps("Look at the disk of **SRV-EHV-04** first. Nine times out of ten it is full of log files.", "Restart the listener, not the server.", "No answer within ten minutes: switch to the copy on **SRV-EHV-08**, and tell the service desk.")}`,
      { ...inside, by: "bram" },
    ),
    travel: article(
      "telephony",
      "Your mobile phone abroad",
      "You travel and want to use your phone.",
      "In Europe it works as at home. For other countries ask two days ahead; without that, data is switched off at the border. Bengaluru, Duluth and Kobe are included, since that is where we are.",
      draft,
    ),
    room: article(
      "rooms",
      "Show your screen in a meeting room",
      "You are in a meeting room, and everybody waits for the picture.",
      `${steps("Press the round button on the table. The screen wakes up.", "Plug in the cable with the yellow ring.", "No picture? Press the Windows key and P, choose **Duplicate**.")}\n\nThe small rooms have no projector. Sit closer.`,
      fm,
    ),
    visitor: article(
      "badges",
      "Receive a visitor",
      "Somebody from outside comes to see you.",
      `${steps("Announce the visitor until noon of the day before: name, company, arrival.", "Fetch the visitor at the front desk yourself.", "In the laboratory visitors wear a coat and a badge, and touch nothing that is on a granite table.")}`,
      fm,
    ),
    cold: article(
      "buildings",
      "Too warm, too cold",
      "The temperature at your place is not right.",
      "The dial on the wall moves it by two degrees, within half an hour. Windows and heating do not get along: close one of them. In the laboratories the temperature is fixed at 20.0 degrees, because lenses are more sensitive than we are.",
      fm,
    ),
  },
};
