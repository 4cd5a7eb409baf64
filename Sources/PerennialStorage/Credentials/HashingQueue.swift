/// A bounded queue of passwords to hash: sign-ins before sign-ups, and within these fair to clients.
///
/// A full queue drops the job that would be hashed last, which may be the new one.
struct HashingQueue<Job> {
    /// The order of a job: the smallest is next.
    private struct Turn: Comparable {
        let isSignUp: Bool
        /// The virtual start time (start-time fair queueing). A client's jobs follow each other in a time that advances with the
        /// jobs taken, so that its second job waits for the first job of every other client.
        let start: UInt64
        let number: UInt64

        static func < (one: Turn, other: Turn) -> Bool {
            if one.isSignUp != other.isSignUp { return other.isSignUp }
            return (one.start, one.number) < (other.start, other.number)
        }
    }

    private struct Entry {
        let turn: Turn
        let client: String
        let job: Job
    }

    private let capacity: Int
    private var entries: [Entry] = []
    /// The virtual times of sign-ins and of sign-ups.
    private var now: (signIns: UInt64, signUps: UInt64) = (0, 0)

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// Adds a job.
    ///
    /// - Parameter number: Higher than those before; the job can be removed by it.
    /// - Returns: The dropped job, which may be this one.
    mutating func add(_ job: Job, _ number: UInt64, of client: String, isSignUp: Bool) -> Job? {
        let waiting = entries.lazy.filter { $0.client == client && $0.turn.isSignUp == isSignUp }.map(\.turn.start)
        let start = waiting.max().map { $0 + 1 } ?? (isSignUp ? now.signUps : now.signIns) + 1
        entries.append(
            Entry(turn: Turn(isSignUp: isSignUp, start: start, number: number), client: client, job: job))
        guard entries.count > capacity, let last = entries.indices.max(by: { entries[$0].turn < entries[$1].turn })
        else { return nil }
        return entries.remove(at: last).job
    }

    /// Removes and returns the next job.
    mutating func next() -> Job? {
        guard let first = entries.indices.min(by: { entries[$0].turn < entries[$1].turn }) else { return nil }
        let entry = entries.remove(at: first)
        if entry.turn.isSignUp { now.signUps = entry.turn.start } else { now.signIns = entry.turn.start }
        return entry.job
    }

    mutating func remove(_ number: UInt64) -> Job? {
        entries.firstIndex { $0.turn.number == number }.map { entries.remove(at: $0).job }
    }
}
