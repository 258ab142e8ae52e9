/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the flight recorder has of an action. */
public final class FlightRecorded {
    /** What the names of verbs4j's events begin with. */
    public static final String PREFIX = "io.verbs4j.";

    private FlightRecorded() {}

    /** What is recorded. */
    public interface Action {
        /** Does it. */
        void run() throws Exception;
    }

    /**
     * The events of some kinds that an action leads to, in the order of time, whatever their length.
     *
     * @param action what to do
     * @param names the kinds, without {@link #PREFIX}
     */
    public static List<RecordedEvent> of(Action action, String... names) throws Exception {
        try (Recording recording = new Recording()) {
            Stream.of(names).forEach(name -> recording.enable(PREFIX + name).withoutThreshold());
            recording.start();
            action.run();
            recording.stop();
            return read(recording).stream()
                    .filter(event -> Arrays.asList(names)
                            .contains(event.getEventType().getName().substring(PREFIX.length())))
                    .toList();
        }
    }

    /** The events of verbs4j in a recording that has been stopped. */
    public static List<RecordedEvent> read(Recording recording) throws IOException {
        Path file = Files.createTempFile("recording", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime)) // the file has it thread by thread
                    .toList();
        } finally {
            Files.delete(file);
        }
    }
}
