/// An operation of the App Store Connect API.
struct ConnectOperation: Sendable {
    enum Action: Hashable, Sendable {
        case list, create, read, update, delete
        /// Reads related resources.
        case related(String)
        /// Reads the types and IDs of related resources.
        case linkages(String)
        case setLinkages(String)
        case addLinkages(String)
        case removeLinkages(String)

        /// True if the operation changes nothing.
        var isReading: Bool {
            switch self {
            case .list, .read, .related, .linkages: true
            default: false
            }
        }
    }

    /// The store's treatment of the operation.
    enum Verdict: String, Sendable, CaseIterable { case must, should, refuse }

    let method: String
    /// The path with `{id}`: `v1/apps/{id}/subscriptionGroups`.
    let path: String
    /// The name of the type that the path begins with.
    let type: String
    let action: Action
    /// The version of the API that brought the operation; the oldest known is 1.3.
    let since: String
    let isDeprecated: Bool
    let verdict: Verdict
    let filters: [String]
    let requiredFilters: [String]
    let sorts: [String]
    /// The relationships whose presence `exists[…]` asks for.
    let existences: [String]

    /// `GET v1/apps/{id}`.
    var name: String { "\(method) \(path)" }

    /// The relationship that the operation is about; `nil` for one about the resources themselves.
    var relationship: String? {
        switch action {
        case .related(let name), .linkages(let name), .setLinkages(let name), .addLinkages(let name),
            .removeLinkages(let name):
            name
        case .list, .create, .read, .update, .delete: nil
        }
    }

    /// The operation in the words of Apple's refusals: `GET_COLLECTION`.
    var word: String {
        switch action {
        case .list: "GET_COLLECTION"
        case .read: "GET_INSTANCE"
        case .create: "CREATE"
        case .update: "UPDATE"
        case .delete: "DELETE"
        case .related: "GET_RELATED"
        case .linkages: "GET_RELATIONSHIP"
        case .setLinkages: "REPLACE_RELATIONSHIP"
        case .addLinkages: "ADD_TO_RELATIONSHIP"
        case .removeLinkages: "REMOVE_FROM_RELATIONSHIP"
        }
    }
}
