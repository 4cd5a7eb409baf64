import Perennial

/// The speed of a transfer: the bytes of the last seconds, of which the newest count most.
struct TransferRate: Sendable {
    /// Milliseconds between two measurements.
    private static let interval: Int64 = 250
    /// Weight of the newest measurement.
    private static let weight = 0.3

    private var measured: (at: Instant, received: Int64)?
    /// Bytes in a second; `nil` before the first measurement.
    private(set) var bytesPerSecond: Double?

    /// Takes the number of received bytes at a time. A number below the last one starts over.
    mutating func update(received: Int64, at now: Instant) {
        guard let last = measured, received >= last.received, now >= last.at else {
            measured = (now, received)
            bytesPerSecond = nil
            return
        }
        let elapsed = now - last.at
        guard elapsed >= Self.interval else { return }
        let speed = Double(received.clampedSubtracting(last.received)) * 1000 / Double(elapsed)
        bytesPerSecond = bytesPerSecond.map { $0 * (1 - Self.weight) + speed * Self.weight } ?? speed
        measured = (now, received)
    }

    /// Returns the seconds until the rest is received; `nil` if the speed is unknown or zero.
    func timeRemaining(received: Int64, size: Int64) -> Double? {
        guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return Double(max(size.clampedSubtracting(received), 0)) / bytesPerSecond
    }
}
