import Foundation
import Perennial

/// A client: makes customers one after the other, and lets each do a number of things.
///
/// The seed decides what it does. Requests without an answer are sent again, with the same key, to the next node.
struct ExerciseClient: Sendable {
    /// Things that one customer does, which bounds the search for their order.
    static let stepsOfCustomer = 24
    /// Pauses before a request is sent again, in milliseconds.
    private static let pauses = [20, 50, 100, 200, 400, 800]

    let number: Int
    let exercise: Exercise
    private var random: SeededRandom
    private(set) var customers: [String] = []

    /// A customer as the client knows it.
    private struct Known: Sendable {
        struct Purchase: Sendable {
            var key: String
            var product: String
        }

        var name: String
        var token: String
        var purchases: [Purchase] = []
        var owned: [String] = []
        var isAccepted = true

        mutating func add(_ answer: RecordedOperation.Answer?) {
            if case .sold(let id, _) = answer, !owned.contains(id) { owned.append(id) }
        }
    }

    init(_ number: Int, of exercise: Exercise) {
        self.number = number
        self.exercise = exercise
        random = SeededRandom(seed: exercise.plan.seed &* 1_000_003 &+ UInt64(number))
    }

    /// Acts until the exercise stops.
    mutating func run() async throws {
        var steps = 0
        while !exercise.control.isStopping, isWithin(steps) {
            guard var customer = try await signIn() else { return }
            for _ in 0..<Self.stepsOfCustomer where !exercise.control.isStopping && isWithin(steps) {
                steps += 1
                try await sendNext(&customer)
                await exercise.time.pause(random.below(exercise.plan.pauseMax + 1))
            }
        }
    }

    private func isWithin(_ steps: Int) -> Bool {
        if case .steps(let most) = exercise.plan.length { return steps < most }
        return true
    }

    /// Makes the next customer. Returns `nil` if the store gave no answer to the exercise's end.
    private mutating func signIn() async throws -> Known? {
        let name = "exercise-\(exercise.plan.seed)-\(number)-\(customers.count + 1)"
        let node = random.below(exercise.nodeCount)
        guard try await ask(.customer(name), nil, at: node) != nil else { return nil }
        customers.append(name)
        // The token comes with the second half, which isn't an operation on the customer's purchases.
        guard let token = try await exercise.token(of: name, number, at: node, pauses: Self.pauses) else { return nil }
        return Known(name: name, token: token)
    }

    // MARK: - Steps

    private mutating func sendNext(_ customer: inout Known) async throws {
        let (node, choice) = (random.below(exercise.nodeCount), random.below(100))
        let pick = random.below(1 << 30)
        switch choice {
        case ..<34: try await buy(&customer, pick, at: node)
        case ..<42: try await again(&customer, pick, at: node)
        case ..<45: try await reuse(customer, pick, at: node)
        case ..<54: try await twice(&customer, pick, at: node)
        case ..<60: try await together(&customer, pick, at: node)
        case ..<76: try await readBack(&customer, at: node)
        case ..<83: try await owned(customer, pick) { .refund(customer: $0, transaction: $1) }
        case ..<91: try await owned(customer, pick) { .finish(customer: $0, transaction: $1) }
        case ..<96:
            let isAccepted = !customer.isAccepted
            if try await ask(.card(customer: customer.name, isAccepted: isAccepted), nil, at: node) != nil {
                customer.isAccepted = isAccepted
            }
        default:
            async let list = exercise.once(.list(customer: customer.name), customer.token, number, at: node + 1)
            try await buy(&customer, pick, at: node)
            _ = try await list
        }
    }

    private mutating func request(_ customer: inout Known, _ pick: Int) -> RecordedOperation.Request {
        let product = exercise.products[pick % exercise.products.count]
        let key = "\(customer.name)-\(customer.purchases.count + 1)"
        customer.purchases.append(Known.Purchase(key: key, product: product))
        return .buy(customer: customer.name, product: product, key: key)
    }

    private mutating func buy(_ customer: inout Known, _ pick: Int, at node: Int) async throws {
        let request = request(&customer, pick)
        customer.add(try await ask(request, customer.token, at: node))
    }

    /// Sends an earlier purchase again.
    private func again(_ customer: inout Known, _ pick: Int, at node: Int) async throws {
        guard let earlier = customer.purchases.picked(pick) else { return }
        customer.add(
            try await ask(
                .buy(customer: customer.name, product: earlier.product, key: earlier.key), customer.token, at: node))
    }

    /// Uses the key of an earlier purchase for another product.
    private func reuse(_ customer: Known, _ pick: Int, at node: Int) async throws {
        guard let earlier = customer.purchases.picked(pick),
            let product = exercise.products.first(where: { $0 != earlier.product })
        else { return }
        _ = try await ask(
            .buy(customer: customer.name, product: product, key: earlier.key), customer.token, at: node)
    }

    /// Sends a purchase to two nodes at once.
    private mutating func twice(_ customer: inout Known, _ pick: Int, at node: Int) async throws {
        let request = request(&customer, pick)
        let (client, token) = (self, customer.token)
        async let one = client.ask(request, token, at: node)
        async let other = client.ask(request, token, at: node + 1)
        let answers = try await [one, other]
        answers.forEach { customer.add($0) }
    }

    /// Sends two purchases at once, half of the time of one product.
    private mutating func together(_ customer: inout Known, _ pick: Int, at node: Int) async throws {
        let next = pick % 2 == 0 ? pick : pick / exercise.products.count
        let (first, second) = (request(&customer, pick), request(&customer, next))
        let (client, token) = (self, customer.token)
        async let one = client.ask(first, token, at: node)
        async let other = client.ask(second, token, at: node + 1)
        let answers = try await [one, other]
        answers.forEach { customer.add($0) }
    }

    /// Lists the customer's transactions, renewals among them.
    private func readBack(_ customer: inout Known, at node: Int) async throws {
        let answer = try await exercise.once(.list(customer: customer.name), customer.token, number, at: node)
        guard case .listed(let transactions) = answer else { return }
        customer.owned = transactions.filter { $0.revoked == nil }.map(\.id)
    }

    private func owned(
        _ customer: Known, _ pick: Int, _ request: (String, String) -> RecordedOperation.Request
    ) async throws {
        guard let transaction = customer.owned.picked(pick) else { return }
        _ = try await ask(request(customer.name, transaction), customer.token, at: pick % exercise.nodeCount)
    }

    /// Sends a request until it is answered. Returns `nil` if it isn't by the end of the exercise.
    private func ask(
        _ request: RecordedOperation.Request, _ token: String?, at node: Int
    ) async throws -> RecordedOperation.Answer? {
        try await exercise.ask(request, token, number, at: node, pauses: Self.pauses)
    }
}
