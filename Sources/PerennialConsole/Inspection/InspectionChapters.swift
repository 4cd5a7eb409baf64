/// Inspect, keys, secrets, certificates, notification URLs, testers, team.
enum InspectionChapters {
    static let all: [any ConsoleChapter] = [
        InspectChapter(), KeysChapter(), SharedSecretChapter(), CertificatesChapter(), NotificationURLChapter(),
        TestersChapter(), TeamChapter(),
    ]
}
