import Foundation
import Perennial

/// Drives a store over its protocols from several clients at once, and records what they asked and were told.
package struct Exercise: Sendable {
    /// Pauses of the clock's client and of the journal's readers, in milliseconds.
    private static let advancePause = 300...1200
    private static let readerPause = 40...160
    private static let pricePause = 60...240
    /// Limit on the days by which the clock is moved: each week is a renewal.
    private static let daysMax = 1000

    let plan: ExercisePlan
    let store: ExerciseStore
    let recorder: HistoryRecorder
    let time: ExerciseTime
    package let control: ExerciseControl
    /// `nil` to kill nothing.
    package var kills: ExerciseKills?
    /// The products that customers buy.
    private(set) var products: [String] = []
    private var types: [String: String] = [:]

    package init(
        _ plan: ExercisePlan, over transport: any ExerciseTransport, _ recorder: HistoryRecorder, time: ExerciseTime,
        control: ExerciseControl
    ) {
        self.plan = plan
        self.recorder = recorder
        self.time = time
        self.control = control
        store = ExerciseStore(transport: transport, plan: plan)
    }

    var nodeCount: Int { max(store.transport.nodes.count, 1) }

    /// Runs the exercise to its end.
    ///
    /// - Throws: ``ExerciseError`` if the store can't be exercised; the recorder's errors.
    package func run() async throws -> HistoryRecorder.Summary {
        var exercise = self
        try await exercise.prepare()
        try exercise.recorder.open(exercise.header)
        let missing = try await exercise.drive()
        try recorder.close(missing: missing)
        return recorder.summary
    }

    private var header: RecordedHistory.Header {
        RecordedHistory.Header(
            app: plan.app, environment: plan.environment, clock: plan.clock.rawValue, seed: plan.seed,
            clients: plan.clients, nodes: store.transport.nodes, started: time.started, products: types)
    }

    private mutating func prepare() async throws {
        let preparation = ExercisePreparation(exercise: self)
        types = try await preparation.run()
        products = types.keys.sorted()
    }

    /// Runs the clients, then reads everything.
    ///
    /// - Returns: What couldn't be read, in words; `nil` if nothing is missing.
    private func drive() async throws -> String? {
        if case .seconds(let seconds) = plan.length { control.stop(afterSeconds: seconds) }
        for product in priced { _ = try await setPrice(of: product, to: Self.price(0), at: 0) }
        recorder.measure(true)
        let customers = try await withThrowingTaskGroup(of: [String].self) { tasks in
            for number in 0..<plan.clients {
                tasks.addTask {
                    var client = ExerciseClient(number, of: self)
                    try await client.run()
                    return client.customers
                }
            }
            // The others go on as long as a client does.
            return try await withThrowingTaskGroup(of: Void.self) { others in
                for reader in 0..<plan.readers { others.addTask { try await self.readJournal(reader) } }
                if plan.clock == .manual { others.addTask { try await self.moveClock() } }
                others.addTask { try await self.changePrices() }
                if let kills { others.addTask { try await kills.run(self) } }
                var all: [String] = []
                for try await customers in tasks { all += customers }
                control.stop()
                recorder.measure(false)
                try await others.waitForAll()
                return all
            }
        }
        return try await ExerciseEnding(exercise: self).read(customers)
    }

    // MARK: - Requests

    /// Sends a request once, and records it.
    func once(
        _ request: RecordedOperation.Request, _ token: String?, _ client: Int, at node: Int
    ) async throws -> RecordedOperation.Answer {
        let begun = recorder.begin()
        let answer = await store.answer(to: request, token: token, at: node)
        try recorder.record(begun, client: client, node: node % nodeCount, request, answer)
        return answer
    }

    /// Sends a request to one node after the other until it is answered.
    ///
    /// - Returns: `nil` if it isn't by the end of the exercise.
    func ask(
        _ request: RecordedOperation.Request, _ token: String?, _ client: Int, at node: Int, pauses: [Int]
    ) async throws -> RecordedOperation.Answer? {
        for attempt in 0... {
            let answer = try await once(request, token, client, at: node + attempt)
            guard answer.isUnknown else { return answer }
            if control.isOver { return nil }
            await time.pause(pauses[min(attempt, pauses.count - 1)])
        }
        return nil
    }

    /// Signs a customer in on a device. Not an operation of the history: the token changes no purchase.
    ///
    /// - Returns: `nil` if there is no answer by the end of the exercise.
    func token(of customer: String, _ client: Int, at node: Int, pauses: [Int]) async throws -> String? {
        struct Answer: Decodable { var token: String }
        for attempt in 0... {
            // Each on a device of its own: a sign-in without an answer, as at a node that is paused, may be carried out later, and ends
            // the session of its device.
            let device = Self.device("\(customer)/\(attempt)")
            var message = store.post(
                "store/v1/devices", ["account": customer, "deviceId": device, "bundleId": plan.app], .unknown)
            message.node = (node + attempt) % nodeCount
            let begun = recorder.begin()
            let answer: ExercisePage<Answer> = await store.page(message)
            if case .page(let page) = answer { return page.token }
            if case .failed(let failure) = answer {
                try recorder.record(begun, client: client, node: message.node, .customer(customer), failure)
            }
            if control.isOver { return nil }
            await time.pause(pauses[min(attempt, pauses.count - 1)])
        }
        return nil
    }

    /// A UUID that follows from a name.
    private static func device(_ name: String) -> String {
        // FNV-1a.
        let hash = name.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let digits = String(repeating: "0", count: 12) + String(hash, radix: 16)
        return "00000000-0000-4000-8000-" + String(digits.suffix(12))
    }

    // MARK: - Beside the customers

    private func moveClock() async throws {
        var random = SeededRandom(seed: plan.seed &* 1_000_003 &+ 1_000_000)
        let client = plan.clients
        var days = 0
        while !control.isStopping {
            await time.pause(random.between(Self.advancePause))
            let (node, amount) = (random.below(nodeCount), random.below(6) + 1)
            let choice = days < Self.daysMax ? random.below(10) : 0
            if choice >= 3 { days += amount }
            switch choice {
            case ..<3: _ = try await once(.clock, nil, client, at: node)
            case ..<8: _ = try await once(.advance(by: "P\(amount)D"), nil, client, at: node)
            case ..<9: _ = try await once(.advance(by: "PT\(amount)H"), nil, client, at: node)
            default:
                async let one = once(.advance(by: "PT\(amount)H"), nil, client, at: node)
                async let other = once(.advance(by: "P1D"), nil, client, at: node + 1)
                _ = try await (one, other)
            }
        }
    }

    /// The products whose price says which catalog sold them: no offer lowers it, and no period raises it.
    private var priced: [String] {
        products.filter {
            [ProductType.consumable.rawValue, ProductType.nonConsumable.rawValue].contains(types[$0] ?? "")
        }
    }

    /// A price that no other setting of the exercise has.
    private static func price(_ number: Int) -> Int64 { 1_000 + Int64(number) * 10 }

    private func setPrice(of product: String, to price: Int64, at node: Int) async throws -> RecordedOperation.Answer? {
        try await ask(
            .setPrice(product: product, price: price), nil, plan.clients + plan.readers + 2, at: node,
            pauses: ExerciseEnding.pauses)
    }

    /// Changes prices on changing nodes while others sell.
    private func changePrices() async throws {
        var random = SeededRandom(seed: plan.seed &* 1_000_003 &+ 3_000_000)
        var number = 0
        while !control.isStopping, !priced.isEmpty {
            number += 1
            let (product, node) = (priced[random.below(priced.count)], random.below(nodeCount))
            _ = try await setPrice(of: product, to: Self.price(number), at: node)
            await time.pause(random.between(Self.pricePause))
        }
    }

    private func readJournal(_ reader: Int) async throws {
        var random = SeededRandom(seed: plan.seed &* 1_000_003 &+ 2_000_000 &+ UInt64(reader))
        var position: Int64 = 1
        while !control.isStopping {
            let node = random.below(nodeCount)
            let answer = try await once(
                .journal(position: position, limit: ExerciseStore.pageLength), nil, plan.clients + 1 + reader, at: node)
            if case .entries(let entries) = answer, let last = entries.last { position = last.position + 1 }
            await time.pause(random.between(Self.readerPause))
        }
    }
}

extension SeededRandom {
    fileprivate mutating func between(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }
}
