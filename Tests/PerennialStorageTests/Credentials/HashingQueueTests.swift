import Testing

@testable import PerennialStorage

struct HashingQueueTests {
    /// Adds jobs such as `mallory+` (a sign-up of mallory) or `ann`, named by client and number. Returns the dropped ones.
    private func filled(_ queue: inout HashingQueue<String>, _ jobs: [String]) -> [String] {
        jobs.enumerated().compactMap { index, text in
            let client = text.hasSuffix("+") ? String(text.dropLast()) : text
            return queue.add("\(text)\(index)", UInt64(index), of: client, isSignUp: text.hasSuffix("+"))
        }
    }

    private func order(_ jobs: [String]) -> [String] {
        var queue = HashingQueue<String>(capacity: 100)
        #expect(filled(&queue, jobs) == [])
        return (0..<jobs.count).compactMap { _ in queue.next() }
    }

    @Test func `a client's jobs run in the order of submission`() {
        #expect(order(["ann", "ann", "ann"]) == ["ann0", "ann1", "ann2"])
    }

    @Test func `a client's first job precedes another's second`() {
        #expect(
            order(["mallory", "mallory", "mallory", "ann", "ben"])
                == ["mallory0", "ann3", "ben4", "mallory1", "mallory2"])
    }

    @Test func `sign-ins come before all sign-ups`() {
        #expect(order(["mallory+", "trudy+", "ann", "ann"]) == ["ann2", "ann3", "mallory+0", "trudy+1"])
    }

    @Test func `a late client gets no credit for its absence`() {
        var queue = HashingQueue<String>(capacity: 100)
        var served: [String] = []
        for number in 0..<UInt64(50) {
            _ = queue.add("ann", number, of: "ann", isSignUp: false)
            served += [queue.next() ?? "none"]
        }
        _ = filled(&queue, ["ann", "ann", "ben", "ben"])
        #expect(served == Array(repeating: "ann", count: 50))
        #expect((0..<4).compactMap { _ in queue.next() } == ["ann0", "ben2", "ann1", "ben3"])
    }

    static let overflows: [(jobs: [String], dropped: [String])] = [
        (["ann", "ann", "ann", "ann"], ["ann3"]),
        (["mallory", "mallory", "mallory", "ann"], ["mallory2"]),
        (["ann", "ben", "eve", "mallory"], ["mallory3"]),
        (["mallory+", "trudy+", "ann", "ben"], ["trudy+1"]),
        (["ann", "ann", "ann", "ben+"], ["ben+3"]),
    ]

    @Test(arguments: overflows)
    func `a full queue refuses the last job`(jobs: [String], dropped: [String]) {
        var queue = HashingQueue<String>(capacity: 3)

        #expect(filled(&queue, jobs) == dropped)
        #expect(queue.count == 3)
    }

    @Test func `a removed job doesn't run and is removed once`() {
        var queue = HashingQueue<String>(capacity: 3)
        _ = filled(&queue, ["ann", "ben"])
        #expect(queue.remove(0) == "ann0")
        #expect(queue.remove(0) == nil)
        #expect(queue.next() == "ben1")
        #expect(queue.next() == nil)
    }
}
