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
      "You want to change your password, or it's about to expire.",
      `${steps("Connect to the office network, or to VPN if you're working remotely.", "Open **account.quillhaven.example** and sign in.", "Choose **Change password**. Four unrelated words make a password that's long and easy to remember.", "Lock your screen and unlock it with the new password so that your laptop picks it up.")}\n\nYour phone will ask for the new password within the hour. Type it carefully: five wrong attempts lock your account for 15 minutes.`,
      { status: "validated", keywords: "password, expired, change" },
    ),
    locked: article(
      "access",
      "Your account is locked",
      "You can't sign in because your account is locked.",
      `After five wrong passwords, your account is locked for **15 minutes**. The quickest fix is to wait.\n\nDoes it keep locking? Then something is still using your old password:\n\n${list("the mail app on your phone or tablet", "a laptop you signed in to last month", "a network drive that was connected with **remember me**")}\n\nTurn these off one by one. If the account still locks, call the service desk.`,
    ),
    twofactor: article(
      "access",
      "New phone: move the second factor",
      "You have a new phone and your sign-in codes are on the old one.",
      `Do this while the old phone still works.\n\n${steps("Open **account.quillhaven.example** and choose **Second factor**.", "Confirm with a code from the **old** phone.", "Scan the QR code with the app on the **new** phone.", "Sign in once with a code from the new phone, then remove the old one.")}\n\nDon't have the old phone anymore? Come to the service desk with your badge. We can't do this over the phone, no matter how nicely you ask.`,
    ),
    vpn: article(
      "network",
      "Work remotely with VPN",
      "You're at home, in a hotel or at a customer site and need access to the network.",
      `${steps("Connect to the internet first. Open any public website to check.", "Start **Quillhaven Connect** and press **Connect**.", "Confirm on your phone.")}\n\nNothing happening? Hotels often show a terms page first. Open a browser, accept the terms and try again.`,
      { status: "validated", keywords: "vpn, home, hotel", template: "vpn" },
    ),
    wireless: article(
      "network",
      "Wi-Fi is slow or keeps dropping",
      "You're connected to Wi-Fi, but it's slow or unreliable.",
      `${steps("Check the network name. It should be **Quillhaven**, not **Quillhaven-Guest**.", "Turn Wi-Fi off and on again.", "Move a few meters. Elevator shafts and the anechoic chamber block radio signals.", "Try a cable. If that's slow too, Wi-Fi isn't the problem.")}\n\nWhen you report it, include the floor and the nearest room number so that we can find the access point.`,
    ),
    guest: article(
      "network",
      "Guest Wi-Fi for visitors",
      "A visitor needs internet access.",
      `Visitors use **Quillhaven-Guest**. The front desk hands out a day code with each badge.\n\nFor more than ten visitors, let us know two days ahead and we'll create one code for the group.`,
    ),
    mailbox: article(
      "mail",
      "Open a shared mailbox",
      "You were given access to a team mailbox but can't see it.",
      `It appears automatically within an hour. To speed it up:\n\n${steps("Close the mail app.", "Wait a minute while it saves its data.", "Open it again and look below your own folders.")}\n\nStill missing after a day? Tell us the mailbox name and who granted you access.`,
      { status: "validated", keywords: "shared mailbox, team mailbox" },
    ),
    away: article(
      "mail",
      "Set an out-of-office reply",
      "You'll be away and want people to know.",
      `${steps("In the calendar choose **Automatic replies**.", "Set the first and last day. Replies stop automatically.", "Name someone who can help, and check with them first.")}\n\nWrite two replies: one for colleagues and a shorter one for everyone else.`,
    ),
    recall: article(
      "mail",
      "You sent an email to the wrong person",
      "You sent something to someone who shouldn't have it.",
      `You can recall a message only within Quillhaven, and only until it's read.\n\n${steps("Open the message in **Sent items** and choose **Recall**.", "Call the recipient. A friendly call does more than any technical fix.", "Does it contain personal data or a design? Report it right away with **Report a suspicious message**. We'll help, and no one is blamed for reporting.")}`,
    ),
    "first-steps": article(
      "computer",
      "Set up your new laptop",
      "You've just unpacked a new laptop.",
      `${steps("Plug it into power and a network cable in the office. Don't use Wi-Fi.", "Sign in with your email address.", "Grab a coffee. Installation takes about 40 minutes.", "Restart when prompted. It will ask twice.", "Put your old laptop in the box and bring it to the service desk.")}\n\nYour files will be in **Documents** once the cloud icon stops moving.`,
      { status: "validated", template: "new-laptop" },
    ),
    dock: article(
      "computer",
      "Docking station doesn't detect the second monitor",
      "One monitor stays black when you're docked.",
      `${steps("Unplug the dock from power for ten seconds. Count slowly.", "Plug the monitors back in, first the left one, then the right one.", "Press Windows+P and choose **Extend**.", "Try another cable. One in twenty is faulty.")}\n\nIf the monitor works on a colleague's dock, your dock is broken. We'll replace it the same day.`,
    ),
    slow: article(
      "computer",
      "Your computer is slow",
      "Everything takes longer than it used to.",
      `${list("When did you last **restart**? Closing the lid doesn't count.", "Is the disk nearly full? With less than 10 GB free, it slows down.", "Forty open browser tabs are forty small programs.")}\n\nIf none of this helps, tell us when it started and in which app. We'll look at it with you remotely. It takes about 15 minutes.`,
    ),
    cad: article(
      "computer",
      "Draughtsman says no license is available",
      "Draughtsman CAD won't start because all licenses are in use.",
      `We share 25 licenses. A license is released when Draughtsman is **closed**, not when it's minimized.\n\n${steps("Wait five minutes and try again.", "Ask in the **CAD** channel whether someone went to lunch with a drawing open.", "Urgent? The service desk can see who has held a license the longest.")}`,
    ),
    printer: article(
      "printing",
      "Print from anywhere, collect anywhere",
      "You want to use a printer other than your usual one.",
      `Print to **Quillhaven Follow**. Then hold your badge to **any** printer and choose what to print. Jobs that aren't collected within a day are deleted.\n\nLabels print only on the factory's label printers. Choose **Quillhaven Label**.`,
    ),
    jam: article(
      "printing",
      "Paper jam",
      "The printer reports a paper jam.",
      `The display shows where. Open that door and pull the paper out **slowly, in the direction it travels**.\n\nIf you can't reach a torn piece, leave it to Parchment and Pixel. Report the number on the yellow sticker, and please don't use a ruler.`,
    ),
    restore: article(
      "files",
      "Recover an older version of a file",
      "You changed or deleted a file by mistake.",
      `You can recover files from the last 30 days yourself:\n\n${steps("Right-click the **folder**, not the file.", "Choose **Previous versions**.", "Open the version from the day you want and **copy** what you need.")}\n\nFor anything older, request **Restore a file**. We keep backups for one year.`,
    ),
    folder: article(
      "files",
      "Who has access to a team folder",
      "You want to see or change who has access.",
      "Every folder has an owner. Right-click the folder, choose **Properties** and look for **Owner**. The owner decides who has access. If the owner has left, the organization's manager decides.",
    ),
    order: article(
      "erp",
      "A sales order is blocked",
      "An order in Prisma shows a red lock.",
      `| Text next to the lock | What it means | Who helps |\n|---|---|---|\n| Credit | The customer owes us too much | Finance |\n| Export | The country is on an export control list | Legal |\n| Price | The margin is below the limit | Your sales director |\n| Technical | Something went wrong between two systems | IT: report it with the order number |`,
    ),
    month: article(
      "erp",
      "Month-end checklist",
      "You post transactions in Prisma and the month is about to close.",
      `Until 18:00 on the last working day:\n\n${steps("Confirm deliveries that have shipped.", "Post incoming invoices that you have checked.", "Submit timesheets.")}\n\nAfter that, the month is read-only. Corrections go into the next month. Contact Finance.`,
      { status: "not_validated" },
    ),
    certificate: article(
      "portal",
      "A customer can't find a calibration certificate",
      "A customer calls about a certificate that's missing from the portal.",
      `${steps("Ask for the serial number. It's on the plate below the eyepiece.", "Search for the **serial number**, not for the order.", "No results? Certificates are published the night after calibration, so check the calibration date.", "If it's older than two days, report it with the serial number.")}`,
    ),
    phishing: article(
      "security",
      "How to spot a phishing message",
      "A message asks you to hurry, to pay, or to sign in.",
      `${list("It is **urgent**, and it is **secret**. Real work is rarely both.", "The address below the name is not the one you expect.", "The link goes somewhere other than it says. Hover over it to check.")}\n\n**Don't click. Don't reply. Report it** with the button in the mail app. Already clicked? Report it right away all the same. No one gets in trouble for that here.`,
      { status: "validated", keywords: "phishing, fraud, suspicious" },
    ),
    "desk-callback": article(
      "access",
      "For the service desk: reset a password safely",
      "Someone calls and asks for a new password.",
      `${steps("Tell them you'll call back.", "Call the number **in the directory**, never the one on the display.", "Ask for the manager's name and one item on their desk list.", "Set a temporary password that must be changed at the first sign-in.")}\n\nPeople in a hurry get the same treatment, with extra sympathy.`,
      inside,
    ),
    runbook: article(
      "databases",
      "For the team: calibration database not responding",
      "Monitoring reports **DB-CALIBRATION** as unreachable.",
      `${steps("Check the disk on **SRV-EHV-04** first. Nine times out of ten it's full of log files.", "Restart the listener, not the server.", "If it doesn't respond within ten minutes, fail over to the replica on **SRV-EHV-08** and notify the service desk.")}`,
      { ...inside, by: "bram" },
    ),
    travel: article(
      "telephony",
      "Use your phone abroad",
      "You're traveling and want to use your phone.",
      "In Europe, your phone works as it does at home. For other countries, request roaming two days ahead; otherwise mobile data is blocked. India, Japan and the United States are included because we have offices there.",
      draft,
    ),
    room: article(
      "rooms",
      "Show your screen in a meeting room",
      "You're in a meeting room and want to share your screen.",
      `${steps("Press the round button on the table. The screen wakes up.", "Plug in the cable with the yellow ring.", "No picture? Press Windows+P and choose **Duplicate**.")}\n\nThe small rooms have no projector. Sit closer.`,
      fm,
    ),
    visitor: article(
      "badges",
      "Host a visitor",
      "You're expecting a visitor.",
      `${steps("Register the visitor by noon the day before, with name, company and arrival time.", "Pick up your visitor at the front desk in person.", "In the lab, visitors must wear a coat and badge and must not touch anything on a granite table.")}`,
      fm,
    ),
    cold: article(
      "buildings",
      "Too warm or too cold",
      "The temperature at your desk isn't right.",
      "The dial on the wall changes the temperature by up to two degrees within half an hour. Close the window or turn off the heating; they don't mix. The labs are kept at exactly 20.0 °C, because lenses are more sensitive than we are.",
      fm,
    ),
  },
};
