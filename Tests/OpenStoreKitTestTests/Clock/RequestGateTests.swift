import Synchronization
import Testing

@testable import OpenStoreKitTest

@Suite("Gate of a session's requests", .timeLimit(.minutes(1)))
struct RequestGateTests {
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])

        func append(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    @Test("Later requests wait behind work that waits to run alone")
    func order() async {
        let gate = RequestGate()
        let order = Order()
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (released, releasing) = AsyncStream<Void>.makeStream()
        async let first: Void = gate.beside {
            beginning.finish()
            for await _ in released {}
            order.append("first")
        }
        for await _ in begun {}
        async let alone: Void = gate.alone { order.append("alone") }
        while gate.waiting < 1 { await Task.yield() }
        async let later: Void = gate.beside { order.append("later") }
        while gate.waiting < 2 { await Task.yield() }
        releasing.finish()
        _ = await (first, alone, later)
        #expect(order.all == ["first", "alone", "later"])
        #expect(gate.waiting == 0)
    }

    @Test("Requests run side by side")
    func sideBySide() async {
        let gate = RequestGate()
        let result = await gate.beside { await gate.beside { "both" } }
        #expect(result == "both")
    }
}
