/// The last events of an environment, at most a fixed number. Each has a sequence number, which increases by one.
struct LiveRing: Sendable {
    static let capacity = 8192

    private var events: [LiveEvent] = []
    /// The sequence number of the first of `events`.
    private var first: Int64 = 1

    /// The sequence number of the next event.
    var end: Int64 { first + Int64(events.count) }

    mutating func append(_ event: LiveEvent) {
        var event = event
        event.sequence = end
        events.append(event)
        // In batches, so that each event is moved once at most.
        if events.count >= 2 * Self.capacity { drop(events.count - Self.capacity) }
    }

    /// Drops all events. Sequence numbers go on.
    mutating func removeAll() { drop(events.count) }

    private mutating func drop(_ count: Int) {
        events.removeFirst(count)
        first += Int64(count)
    }

    /// Returns the events from a sequence number on, and the number of those that are gone.
    func events(from sequence: Int64) -> (events: ArraySlice<LiveEvent>, lost: Int64) {
        let start = max(sequence, first)
        guard start < end else { return ([], max(start - sequence, 0)) }
        return (events[Int(start - first)...], start - sequence)
    }
}
