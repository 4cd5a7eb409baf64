extension Migration {
    /// The tables of Delivery, the seller's own content server.
    package static let delivery = Migration(number: 2, name: "delivery", statements: DeliverySchema.statements)
}
