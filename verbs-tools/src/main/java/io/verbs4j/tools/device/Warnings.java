/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects what verbs4j logs, instead of the console, until it is closed. */
final class Warnings extends Handler {
    private static final Logger LOGGER = Logger.getLogger("io.verbs4j");

    private final List<String> messages = new ArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    Warnings() {
        setLevel(Level.WARNING);
        LOGGER.addHandler(this);
        LOGGER.setUseParentHandlers(false);
    }

    /** {@return the messages logged so far, of level WARNING and above} */
    List<String> messages() {
        synchronized (messages) {
            return List.copyOf(messages);
        }
    }

    @Override
    public void publish(LogRecord logged) {
        if (isLoggable(logged)) {
            synchronized (messages) {
                messages.add(formatter.formatMessage(logged));
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(true);
    }
}
