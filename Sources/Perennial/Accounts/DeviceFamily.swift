/// The kind of device on which a customer uses an app, with the names of Apple's reports.
package enum DeviceFamily: String, Sendable, Codable, CaseIterable {
    case iPhone
    case iPad
    case iPodTouch = "iPod touch"
    case desktop = "Desktop"
    case appleTV = "Apple TV"
    case appleVision = "Apple Vision"
    case appleWatch = "Apple Watch"
}
