extension Migration {
    /// What sellers send to the App Store Server API: consumption information, retention messages, Advanced Commerce's
    /// requests; and an index for refund histories.
    package static let serverAPI = Migration(number: 8, name: "serverAPI", statements: ServerAPISchema.statements)
}
