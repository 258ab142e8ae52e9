/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Takes what verbs4j logs, in place of the console, until it is closed. */
final class Warnings extends Handler {
    private static final Logger LOGGER = Logger.getLogger("io.verbs4j");

    private final List<String> messages = new ArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    Warnings() {
        setLevel(Level.WARNING);
        LOGGER.addHandler(this);
        LOGGER.setUseParentHandlers(false);
    }

    /** What was logged so far, from warnings on. */
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
