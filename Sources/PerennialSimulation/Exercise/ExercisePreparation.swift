import Foundation
import Perennial

/// Makes the environment of an exercise, and chooses its products.
struct ExercisePreparation {
    /// Products of each type that customers buy.
    private static let productsOfType = 2
    private static let pause = 200
    /// Renewals of a subscription on a real clock; as many as in Sandbox.
    static let renewalsMax = 6

    let exercise: Exercise

    private var plan: ExercisePlan { exercise.plan }

    /// - Returns: The types of the chosen products, by ID.
    /// - Throws: ``ExerciseError``.
    func run() async throws -> [String: String] {
        try await makeEnvironment()
        if let url = plan.receiverURL {
            let path = "control/v1/apps/\(ExerciseStore.encoded(plan.app))/notifications"
            var message = exercise.store.post(path, ["url": url, "retries": "full"])
            message.method = "PUT"
            _ = try await answer(to: message)
        }
        return try await chooseProducts()
    }

    private struct EnvironmentBody: Encodable {
        struct Billing: Encodable {
            var timeRate: String
            var maximumRenewals: Int
        }

        var name: String
        var kind: String
        var clock: String
        var billing: Billing
    }

    /// Makes the environment. On a manual clock months are months; on a real one a renewal comes every ten seconds, a few times: the
    /// customers of a long exercise would otherwise make ever more.
    private func makeEnvironment() async throws {
        let isManual = plan.clock == .manual
        let body = EnvironmentBody(
            name: plan.environment,
            kind: (isManual ? StoreEnvironment.Kind.sandbox : .xcode).rawValue, clock: plan.clock.rawValue,
            billing: EnvironmentBody.Billing(
                timeRate: isManual ? "real" : TimeRate.oneRenewalEveryTenSeconds.rawValue,
                maximumRenewals: isManual ? 0 : Self.renewalsMax))
        var message = exercise.store.post("control/v1/environments", body)
        message.environment = nil
        _ = try await answer(to: message, acceptsRepeat: "environmentExists")
    }

    private func chooseProducts() async throws -> [String: String] {
        struct Answer: Decodable {
            struct Product: Decodable {
                struct Subscription: Decodable { var groupId: String }
                var productId: String
                var type: String
                var clearedForSale: Bool
                var subscription: Subscription?
            }
            var products: [Product]
        }
        let path = "control/v1/apps/\(ExerciseStore.encoded(plan.app))/products"
        let body = try await answer(to: exercise.store.request("GET", path))
        guard let all = try? JSONDecoder().decode(Answer.self, from: Data(body)).products else {
            throw ExerciseError("the list of products can't be read")
        }
        let onSale = all.filter(\.clearedForSale).sorted { $0.productId < $1.productId }
        var chosen = onSale.filter { $0.type == ProductType.consumable.rawValue }.prefix(Self.productsOfType)
        guard !chosen.isEmpty else { throw ExerciseError("the app \(plan.app) has no consumable on sale") }
        chosen += onSale.filter { $0.type == ProductType.nonConsumable.rawValue }.prefix(Self.productsOfType)
        // One of a group: changes between the products of a group are another matter.
        var groups: Set<String> = []
        for product in onSale where product.type == ProductType.autoRenewable.rawValue {
            guard let group = product.subscription?.groupId, groups.insert(group).inserted else { continue }
            guard groups.count <= Self.productsOfType else { break }
            chosen.append(product)
        }
        return Dictionary(chosen.map { ($0.productId, $0.type) }) { first, _ in first }
    }

    /// Sends a request of the preparation to one node after the other until it is answered.
    ///
    /// - Parameter acceptsRepeat: The code with which a request is refused that has been done before.
    private func answer(to request: ExerciseRequest, acceptsRepeat: String? = nil) async throws -> [UInt8] {
        var request = request
        var reason = ""
        for attempt in 0..<max(plan.settleSeconds * 1000 / Self.pause, 1) {
            request.node = attempt % exercise.nodeCount
            switch await exercise.store.transport.send(request) {
            case .answer(let status, let body) where (200..<300).contains(status): return body
            case .answer(let status, let body):
                let answer = ExerciseStore.answer(status, body) { _ in .done }
                guard case .refused(let code) = answer else {
                    reason = "HTTP \(status)"
                    break
                }
                if code == acceptsRepeat, attempt > 0 { return body }
                throw ExerciseError(
                    "\(request.method) \(request.path) is refused: "
                        + (code == acceptsRepeat
                            ? "the environment \(plan.environment) is there already, name another" : code))
            case .lost(let text): reason = text
            case .unavailable: reason = "HTTP 503"
            }
            guard !exercise.control.isStopping else { break }
            await exercise.time.pause(Self.pause)
        }
        throw ExerciseError("\(request.method) \(request.path) is not answered: \(reason)")
    }
}
