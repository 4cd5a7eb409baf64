/// The order in which passwords are hashed: sign-ins before sign-ups, and within these each client in its turn, so that no
/// client holds up another by asking often.
///
/// Its room is bounded. What comes to a full queue takes the place of what would be hashed last, unless that is itself.
struct HashingQueue<Job> {
    /// When a job's turn comes: the smallest first.
    private struct Turn: Comparable {
        let isSignUp: Bool
        /// Start-time fair queueing: a client's jobs lie one behind the other in a virtual time that advances with what is
        /// taken, so that its second waits for everybody else's first.
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
    /// - Returns: The job that has no room, which may be this one.
    mutating func add(_ job: Job, _ number: UInt64, of client: String, isSignUp: Bool) -> Job? {
        let waiting = entries.lazy.filter { $0.client == client && $0.turn.isSignUp == isSignUp }.map(\.turn.start)
        let start = waiting.max().map { $0 + 1 } ?? (isSignUp ? now.signUps : now.signIns) + 1
        entries.append(
            Entry(turn: Turn(isSignUp: isSignUp, start: start, number: number), client: client, job: job))
        guard entries.count > capacity, let last = entries.indices.max(by: { entries[$0].turn < entries[$1].turn })
        else { return nil }
        return entries.remove(at: last).job
    }

    /// Takes the job whose turn it is.
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
