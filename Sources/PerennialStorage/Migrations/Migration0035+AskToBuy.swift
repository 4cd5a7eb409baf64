extension Migration {
    /// Sandbox testers whose purchases ask for approval, whatever their device says.
    package static let askToBuy = Migration(
        number: 35, name: "askToBuy", allowsEarlierNodes: true,
        statements: ["ALTER TABLE accounts ADD COLUMN asks_to_buy BIGINT NOT NULL DEFAULT 0"])
}
