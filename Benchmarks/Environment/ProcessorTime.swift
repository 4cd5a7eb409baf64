import Foundation

/// The time of all of the machine's processors since it started, as the kernel counts it.
struct ProcessorTime {
    private let all: Double
    private let idle: Double

    /// Read from `/proc/stat` (proc(5)); zero where there is none.
    static var now: ProcessorTime {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let times = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
        // The fourth and fifth are idle time, the second of them with a disk that is waited for.
        return ProcessorTime(
            all: times.prefix(8).reduce(0, +), idle: times.dropFirst(3).prefix(2).reduce(0, +))
    }

    /// Returns the part of the time since then in which processors had work, from 0 to 1.
    func busy(since start: ProcessorTime) -> Double {
        let passed = all - start.all
        return passed > 0 ? 1 - (idle - start.idle) / passed : 0
    }
}
