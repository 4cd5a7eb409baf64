import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Prints the demo: sender, message and response, a line each.
///
/// Ignores a closed pipe: the output is lost, the exit code is not.
struct Printer: Sendable {
    /// The width of the sender column.
    private static let nameWidth = 15

    private enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    let isColoured: Bool

    /// Coloured on a terminal, unless `NO_COLOR` says otherwise (no-color.org).
    static func standardOutput() -> Printer {
        let environment = ProcessInfo.processInfo.environment
        let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        return Printer(isColoured: isatty(STDOUT_FILENO) == 1 && !isUnwanted)
    }

    // MARK: Steps

    func begin(_ text: String) {
        line(styled(text, .bold))
    }

    func step(_ number: Int, _ title: String) {
        line("")
        line(styled("\(number)  \(title)", .bold))
    }

    func proved(_ text: String) {
        line("   \(styled("✓", .green)) \(text)")
    }

    /// - Parameter suggestions: Commands to try next, with their purpose.
    func end(seconds: Double, suggestions: [(command: String, purpose: String)]) {
        line("")
        line(styled("Every step came out right", .bold) + ", in \(Self.rounded(seconds)) s. To try next:")
        let width = suggestions.map { Self.columns(of: $0.command) }.max() ?? 0
        for (command, purpose) in suggestions {
            line("   \(Self.padded(command, to: width))   \(styled(purpose, .dim))")
        }
    }

    /// - Parameter logs: The last lines of the servers' logs.
    func failed(_ error: any Error, logs: [String]) {
        if let error = error as? Unexpected {
            line("   \(styled("✗", .red)) \(error.what)")
            line("     expected  \(error.expected)")
            line("     came      \(error.came)")
        } else {
            line("   \(styled("✗", .red)) \(error)")
        }
        for text in logs { line("     \(styled(text, .dim))") }
    }

    // MARK: Within a step

    func sent(_ who: String, _ text: String) {
        line("   \(Self.padded(who, to: Self.nameWidth)) \(styled("→", .cyan)) \(text)")
    }

    /// - Parameter who: The receiver, if it isn't the last sender.
    func came(_ text: String, to who: String = "") {
        line("   \(Self.padded(who, to: Self.nameWidth)) \(styled("←", .yellow)) \(text)")
    }

    /// Prints another line of a response.
    func more(_ text: String) {
        line("   \(Self.padded("", to: Self.nameWidth))   \(text)")
    }

    func aside(_ text: String) {
        line("   \(styled(text, .dim))")
    }

    // MARK: Parts

    private func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    static func rounded(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Fills up with spaces to a number of a terminal's columns.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(of: text)))
    }

    /// A terminal's columns: letters of East Asian scripts take two.
    private static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { count, scalar in
            switch scalar.value {
            case 0x0300...0x036F: count
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60:
                count + 2
            default: count + 1
            }
        }
    }
}
