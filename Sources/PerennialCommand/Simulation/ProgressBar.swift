import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The progress of a long piece of work, with rate and time left: one line that is written over on a terminal, a line now
/// and then elsewhere. It goes to standard error; standard output is for results.
final class ProgressBar: Sendable {
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

    /// The seconds since it was made.
    var seconds: Double { (clock.now - start) / .seconds(1) }

    func show(_ done: Int, of total: Int, _ what: @autoclosure () -> String) {
        guard isDue else { return }
        let reading = ProgressReading(done: done, total: total, seconds: seconds)
        write(isTerminal ? "\(reading.bar) \(reading), \(what())" : "\(reading), \(what())")
    }

    func say(_ text: @autoclosure () -> String) {
        guard isDue else { return }
        write(text())
    }

    func clear() {
        if isTerminal, !isQuiet { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
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

    private func write(_ text: String) {
        FileHandle.standardError.write(Data((isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n").utf8))
    }
}

/// The work done, of all work, and the seconds that it took.
struct ProgressReading: CustomStringConvertible {
    /// Cells of the bar.
    private static let width = 24
    /// The longest time left that is shown, in seconds: just below 100 hours.
    private static let secondsLeftMax = 359_999.0

    var done: Int
    var total: Int
    var seconds: Double

    var bar: String {
        let full = min(Self.width * done / max(total, 1), Self.width)
        return String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
    }

    var description: String {
        let rate = Double(done) / max(seconds, 0.001)
        let left = Int(min(Double(total - done) / max(rate, 0.001), Self.secondsLeftMax))
        let padded = String(left % 60 + 100).dropFirst()
        return "\(done * 100 / max(total, 1)) %  \(done)/\(total) steps, \(Int(rate)) a second, "
            + "\(left / 60):\(padded) left"
    }
}
