/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.flight;

import io.verbs4j.VerbsException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device was opened, or failed to open. */
@Name("io.verbs4j.DeviceOpen")
@Label("Device Open")
@Description("A program opened an RDMA device")
@Category("RDMA")
@StackTrace(false)
public final class DeviceOpenEvent extends Event {
    @Label("Device")
    final String device;

    @Label("Provider")
    final String provider;

    @Label("Level")
    @Description("The level of the API that the program was compiled for")
    final int level;

    @Label("Errno")
    @Description("0, or the errno if the device could not be opened")
    int errno;

    DeviceOpenEvent(String device, String provider, int level) {
        this.device = device;
        this.provider = provider;
        this.level = level;
        begin();
    }

    /**
     * The device failed to open.
     *
     * @param why the exception for the program
     */
    public void failed(VerbsException why) {
        errno = why.errno();
    }
}
