/// Environments, the clock, health, the audit log, search.
enum OperationsChapters {
    static let all: [any ConsoleChapter] = [
        EnvironmentsChapter(), ClockChapter(), HealthChapter(), AuditChapter(), SearchChapter(),
    ]
}
