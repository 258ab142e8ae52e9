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

/** The events that the flight recorder records while an action runs. */
public final class FlightRecorded {
    /** The prefix of the names of verbs4j's events. */
    public static final String PREFIX = "io.verbs4j.";

    private FlightRecorded() {}

    /** The action to record. */
    public interface Action {
        /** Runs the action. */
        void run() throws Exception;
    }

    /**
     * Returns the events of some types that an action causes, in the order of time, whatever their duration.
     *
     * @param action the action
     * @param names the types, without {@link #PREFIX}
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

    /** Returns verbs4j's events in a recording that has been stopped. */
    public static List<RecordedEvent> read(Recording recording) throws IOException {
        Path file = Files.createTempFile("recording", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime)) // the file is ordered by thread
                    .toList();
        } finally {
            Files.delete(file);
        }
    }
}
