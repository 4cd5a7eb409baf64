import Foundation
import Logging

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes answers to standard output, and warnings and errors to standard error.
enum Terminal {
    static let output = OutputStream(STDOUT_FILENO)
    static let errors = OutputStream(STDERR_FILENO)

    /// The width for which a test's task prints.
    @TaskLocal static var columnsOfTask: Int?

    /// The columns of standard output; `nil` for a file or a pipe.
    static var columns: Int? { columnsOfTask ?? output.columns }

    static func out(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func warn(_ text: String) {
        Self.error(errors.styled("warning:", .yellow) + " " + text)
    }

    /// Asks a question that is answered with yes or no.
    ///
    /// - Returns: True for yes; false for anything else, and for an end of input.
    static func confirms(_ question: String) -> Bool {
        FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Reads a password: typed without echo on a terminal, otherwise a line of the input.
    static func password(_ question: String) -> String? {
        guard isInteractive else { return readLine() }
        FileHandle.standardError.write(Data(question.utf8))
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine()
    }

    /// True if a person types the input.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// One of the streams that a process writes to.
    struct OutputStream: Sendable {
        /// A style of SGR (Select Graphic Rendition), ECMA-48.
        enum Style: String {
            case bold = "1"
            case dim = "2"
            case red = "31"
            case green = "32"
            case yellow = "33"
        }

        /// True on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` turns colour off.
        let isColoured: Bool
        /// The columns of a terminal; `nil` for a file or a pipe.
        let columns: Int?

        init(_ descriptor: Int32, variables: [String: String] = ProcessInfo.processInfo.environment) {
            let isTerminal = isatty(descriptor) == 1
            isColoured = isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
            columns = isTerminal ? Self.columns(of: descriptor, variables) : nil
        }

        /// Returns the width that `COLUMNS` says (POSIX), or that of the terminal's window.
        static func columns(of descriptor: Int32, _ variables: [String: String]) -> Int? {
            if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return Int(size.ws_col)
        }

        func styled(_ text: String, _ style: Style) -> String {
            isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
        }
    }
}

enum Log {
    static func make(level: Logger.Level) -> Logger {
        var logger = Logger(label: "perennial") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}

/// A failure with a message for the person at the terminal.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
