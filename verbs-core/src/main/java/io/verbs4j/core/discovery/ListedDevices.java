/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.Device;
import io.verbs4j.VerbsException;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * A provider's list of devices.
 *
 * @param devices the devices; may contain null
 * @param reason why the provider is set aside, or ""
 */
record ListedDevices(List<Device> devices, String reason) {
    /** A longer list is taken for endless. */
    private static final int MAX_DEVICES = 1 << 16;

    /** Lists the devices. Call it within a {@link ProviderCall}, because the list is the provider's code too. */
    static ListedDevices of(VerbsProvider provider, int level) {
        try {
            List<? extends Device> list = provider.devices();
            if (list == null) {
                return failed("devices() returned null; a provider without devices must return an empty list");
            }
            List<Device> given = new ArrayList<>();
            for (Device device : list) { // one by one: each must be a Device, whatever the provider was compiled with
                if (given.size() == MAX_DEVICES) {
                    return failed("its list of devices does not end: stopped after " + MAX_DEVICES
                            + "; fix or replace the provider");
                }
                given.add(device);
            }
            return new ListedDevices(given, "");
        } catch (VerbsException e) {
            return failed("its devices can't be listed: " + e.getMessage());
        } catch (Throwable t) {
            return failed(ProviderVetting.failure("devices()", t, level));
        }
    }

    private static ListedDevices failed(String reason) {
        return new ListedDevices(List.of(), reason);
    }
}
