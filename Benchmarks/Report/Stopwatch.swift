#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Times a piece of work.
enum Stopwatch {
    /// The CPU time of the process so far, on all cores.
    static var cpuSeconds: Double {
        // POSIX counts `clock` in microseconds everywhere.
        Double(clock()) / 1e6
    }

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return start.seconds
    }

    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.seconds
    }
}

extension ContinuousClock.Instant {
    /// The time since then.
    fileprivate var seconds: Double { duration(to: .now) / .seconds(1) }
}

extension [Double] {
    /// The middle value, which one disturbed round doesn't move.
    var median: Double { percentile(0.5) }

    func percentile(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        return sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
