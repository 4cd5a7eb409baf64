/// The live list and notifications.
enum LiveChapters {
    static let all: [any ConsoleChapter] = [LiveChapter(), NotificationsChapter()]
}
