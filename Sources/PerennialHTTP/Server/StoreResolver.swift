import Hummingbird
import PerennialStore

/// Finds the store of the environment that a request's path begins with.
struct StoreResolver: Sendable {
    enum Place: Sendable {
        case named(String)
        /// The environment that the path's parameter `environment` names.
        case parameter
    }

    let registry: StoreRegistry
    let place: Place

    func store(for context: some RequestContext) async throws -> Store {
        let name: String
        switch place {
        case .named(let fixed): name = fixed
        case .parameter: name = context.parameters.get("environment") ?? ""
        }
        guard let store = try await registry.store(named: name) else {
            throw APIError(.notFound, "environmentNotFound", "there is no environment called “\(name)”", skError: 0)
        }
        return store
    }
}
