import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/environments: environments, made and removed through Production.
struct EnvironmentRoutes {
    private struct EnvironmentBody: RequestModel {
        var name: String
        var kind: String
        var clock: String
        var now: String?
        var seed: Int64?
        var billing: BillingBody?

        static let constraints: [String: Constraint] = [
            "name": .pattern("^[A-Za-z0-9_][A-Za-z0-9_-]{0,\(StoreRegistry.maximumNameLength - 1)}$"),
            "kind": .oneOf(StoreEnvironment.Kind.self), "clock": .oneOf(StoreEnvironment.Clock.self), "now": .moment,
        ]
        // Only a manual clock is set.
        static let rule: Constraint? = .oneOf(fields: [["clock": ["const": "manual"]], ["now": .absent]])
    }

    private struct EnvironmentModel: AnswerModel {
        var name: String
        var kind: String
        var clock: String
        var path: String

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(StoreEnvironment.Kind.self), "clock": .oneOf(StoreEnvironment.Clock.self),
        ]

        init(_ environment: StoreEnvironment) {
            name = environment.name
            kind = environment.kind.rawValue
            clock = environment.clock.rawValue
            path =
                switch environment.id {
                case .production: "/"
                case .sandbox: "/sandbox"
                default: "/environments/\(environment.name)"
                }
        }
    }

    private struct EnvironmentsAnswer: AnswerModel {
        var environments: [EnvironmentModel]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    let registry: StoreRegistry

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "environments", "The environments, in the order of their creation",
            query: [.environmentKind, .pageLimit, .afterNumber],
            use: environments)
        routes.post("environments", "Make an environment", .created, errors: [409], use: make)
        routes.delete(
            "environments/:name", "Remove an environment, with all that happened in it", errors: [409], use: remove)
    }

    private func environments(_ call: Call<NoBody>, _ context: ControlContext) async throws -> EnvironmentsAnswer {
        let page = try await registry.environments(
            kind: try call.query(.environmentKind).map { try ControlFields.value($0, field: "kind") },
            after: call.query(.afterNumber), limit: try call.givenPageLimit())
        return EnvironmentsAnswer(environments: page.items.map { EnvironmentModel($0) }, next: page.next)
    }

    private func make(_ call: Call<EnvironmentBody>, _ context: ControlContext) async throws -> EnvironmentModel {
        let body = try await call.body()
        return EnvironmentModel(
            try await registry.makeEnvironment(
                body.name, kind: try ControlFields.value(body.kind, field: "kind"),
                clock: try ControlFields.value(body.clock, field: "clock"),
                now: try body.now.map { try ControlFields.time($0, field: "now") }, seed: body.seed,
                billing: try body.billing?.settings(in: "billing.")))
    }

    private func remove(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NoContent {
        try await registry.removeEnvironment(context.name("name"))
        return NoContent()
    }
}

extension QueryParameter {
    fileprivate static let environmentKind = QueryParameter("kind", .oneOf(StoreEnvironment.Kind.self))
}
