import Foundation
import Logging

/// Words for people: answers on standard output, warnings on standard error.
enum Terminal {
    static func out(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func warn(_ text: String) {
        FileHandle.standardError.write(Data(("warning: " + text + "\n").utf8))
    }
}

enum Log {
    static func make(level: Logger.Level) -> Logger {
        var logger = Logger(label: "perennial") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
