import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How far a long piece of work has got, with rate and time left: one line that is written over on a terminal, a line now
/// and then elsewhere. It goes to standard error; standard output is for results.
final class ProgressBar: Sendable {
    /// Cells of the bar.
    private static let width = 24
    private static let intervalOnTerminal: Duration = .milliseconds(100)
    private static let intervalElsewhere: Duration = .seconds(10)

    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let shown: Mutex<ContinuousClock.Instant>

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        start = clock.now
        shown = Mutex(start)
    }

    /// Since it was made.
    var seconds: Double { (clock.now - start) / .seconds(1) }

    func show(_ done: Int, of total: Int, _ what: String) {
        guard isDue else { return }
        let seconds = max(seconds, 0.001)
        let rate = Double(done) / seconds
        let left = Self.time(Double(total - done) / max(rate, 0.001))
        let percent = done * 100 / max(total, 1)
        let numbers = "\(percent) %  \(done)/\(total) steps, \(Int(rate)) a second, \(left) left, \(what)"
        guard isTerminal else { return write("\(numbers)\n") }
        let full = Self.width * done / max(total, 1)
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        write("\r\(bar) \(numbers)\u{1B}[K")
    }

    func say(_ text: String) {
        guard isDue else { return }
        write(isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n")
    }

    func clear() {
        if isTerminal, !isQuiet { write("\r\u{1B}[K") }
    }

    private var isDue: Bool {
        guard !isQuiet else { return false }
        let interval = isTerminal ? Self.intervalOnTerminal : Self.intervalElsewhere
        return shown.withLock { shown in
            let now = clock.now
            guard now - shown >= interval else { return false }
            shown = now
            return true
        }
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999))
        let padded = String(whole % 60 + 100).dropFirst()
        return "\(whole / 60):\(padded)"
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
