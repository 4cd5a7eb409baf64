extension Migration {
    /// What Delivery knows of refunds, of whatever kind of product.
    package static let cancellations = Migration(
        number: 14, name: "cancellations", statements: DeliverySchema.cancellationStatements)
}
