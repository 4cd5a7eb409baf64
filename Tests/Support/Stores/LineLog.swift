import Logging
import Synchronization

/// Keeps the lines that are logged at `info` and above, such as `info: refused: …`.
package final class LineLog: Sendable {
    private let all = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { all.withLock { $0 } }

    package var logger: Logger { Logger(label: "test") { [self] _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LineLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        init(log: LineLog) { self.log = log }

        func log(event: LogEvent) { log.all.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
