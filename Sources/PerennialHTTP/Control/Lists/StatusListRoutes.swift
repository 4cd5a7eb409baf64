import BaseEncoding
import Foundation
import Perennial
import PerennialStore

/// control/v1/status and control/v1/search: the environment at a glance, and the thing that a text names.
struct StatusListRoutes {
    struct StatusAnswer: AnswerModel {
        struct AppItem: Model, Encodable {
            var bundleId: String
            var events: Int64
            var rollUpLagEntries: Int64
            var rollUpLagSeconds: Double
            var failingNotifications: Int
        }

        var environment: String
        var kind: String
        var clock: String
        var now: String
        /// The due renewals, at most 1,000, likewise the other figures of what waits.
        var dueRenewals: Int
        var quarantined: Int
        /// The apps in which something has happened.
        var apps: [AppItem]

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(StoreEnvironment.Kind.self), "clock": .oneOf(StoreEnvironment.Clock.self), "now": .time,
        ]

        init(_ status: StoreStatus) {
            environment = status.environment.name
            kind = status.environment.kind.rawValue
            clock = status.environment.clock.rawValue
            now = status.now.rfc3339(fraction: true)
            dueRenewals = status.dueRenewals
            quarantined = status.quarantined
            apps = status.apps.map {
                AppItem(
                    bundleId: $0.bundleID.rawValue, events: $0.events, rollUpLagEntries: $0.lagEntries,
                    rollUpLagSeconds: Double($0.lagMilliseconds) / 1000,
                    failingNotifications: $0.failingNotifications)
            }
        }
    }

    struct SearchAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var kind: String
            var id: String
            var bundleId: String?
            var account: String?
            var detail: String?
            /// The path of its page below the app's in the console.
            var page: String

            static let constraints: [String: Constraint] = ["kind": .oneOf(SearchResult.Kind.self)]

            init(_ result: SearchResult) {
                kind = result.kind.rawValue
                id = result.id
                bundleId = result.bundleID?.rawValue
                account = result.account
                detail = result.detail
                page = result.page.map { PercentEncoding.encode($0) }.joined(separator: "/")
            }
        }

        var results: [Item]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("status", "The environment at a glance: its time, and what waits", use: status)
        routes.get(
            "search", "What a name, a number or a UUID names", query: [.searchText, .searchApp], use: search)
    }

    private func status(_ call: Call<NoBody>, _ context: ControlContext) async throws -> StatusAnswer {
        StatusAnswer(try await context.store.status())
    }

    private func search(_ call: Call<NoBody>, _ context: ControlContext) async throws -> SearchAnswer {
        let results = try await context.store.search.find(
            call.required(.searchText), in: call.query(.searchApp).map(App.BundleID.init(rawValue:)))
        return SearchAnswer(results: results.map(SearchAnswer.Item.init))
    }
}

extension QueryParameter {
    fileprivate static let searchText = QueryParameter(
        "text", isRequired: true,
        .nonempty("An account, a transaction ID, an order, a product, a notification's UUID, an app account token"))
    fileprivate static let searchApp = QueryParameter("bundleId", .described("Only in this app"))
}
