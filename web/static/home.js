// The first page: moments in the reader's own time and manner.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) time.textContent = format.format(new Date(time.dateTime));
