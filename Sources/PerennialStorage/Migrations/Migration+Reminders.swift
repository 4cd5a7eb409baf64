extension Migration {
    /// Delivery's reminders of terms that end.
    package static let reminders = Migration(
        number: 10, name: "reminders", statements: DeliverySchema.reminderStatements)
}
