/// The reviewer of submissions: the store by itself, or its operator.
package enum ReviewMode: String, Sendable, Codable, CaseIterable {
    /// The store approves each submission at once.
    case automatic
    /// The store's operator approves or rejects.
    case manual
}
