import ArgumentParser
import Perennial

/// The option for reminders of non-renewing terms.
struct ReminderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make reminders of non-renewing terms so many days before their end, at most 366; 0 makes none.",
            valueName: "days"))
    var remindDays = 7

    func validate() throws {
        guard (0...366).contains(remindDays) else { throw ValidationError("--remind-days is 0 to 366.") }
    }

    /// The time before the end of a term; `nil` for no reminders.
    var milliseconds: Int64? { remindDays == 0 ? nil : .days(Int64(remindDays)) }
}
