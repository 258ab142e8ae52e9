/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.flight;

import io.verbs4j.MemoryRegion;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** Memory was registered. */
@Name("io.verbs4j.MemoryRegistration")
@Label("Memory Registration")
@Description("A program registered memory with an RDMA device")
@Category("RDMA")
@Threshold("1 ms")
public final class MemoryRegistrationEvent extends Event {
    @Label("Device")
    String device;

    @Label("Length")
    @DataAmount
    long length;

    @Label("Access")
    @Description("The bits of AccessFlags")
    int access;

    MemoryRegistrationEvent() {
        begin();
    }

    void end(MemoryRegion mr, int rights) {
        end();
        if (shouldCommit()) {
            device = mr.pd().context().device().name();
            length = mr.length();
            access = rights;
            commit();
        }
    }
}
