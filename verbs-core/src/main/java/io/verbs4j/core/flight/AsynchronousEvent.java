/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.flight;

import io.verbs4j.AsyncEvent;
import io.verbs4j.EventType;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A program took an asynchronous event. */
@Name("io.verbs4j.AsyncEvent")
@Label("Asynchronous Event")
@Description("An RDMA device reported an event that belongs to no work request")
@Category("RDMA")
@StackTrace(false)
final class AsynchronousEvent extends Event {
    @Label("Device")
    String device;

    @Label("Type")
    String type;

    @Label("Element")
    @Description("The queue pair, completion queue or port that the event is about")
    String element;

    static void record(AsyncEvent about) {
        AsynchronousEvent event = new AsynchronousEvent();
        if (event.shouldCommit()) {
            event.device = about.context().device().name();
            event.type = EventType.toString(about.eventType());
            event.element = about.element() == null
                    ? "port " + about.portNum()
                    : about.element().toString();
            event.commit();
        }
    }
}
