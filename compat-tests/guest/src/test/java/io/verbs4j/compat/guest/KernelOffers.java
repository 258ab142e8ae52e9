/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import io.verbs4j.DeviceCap;
import java.util.List;

/**
 * The abilities of a guest's kernel, as a C program reports them in the same boot. Tests use these instead of the
 * kernel's release, because the distribution's kernel differs between machines.
 *
 * @param capabilities bits of {@link DeviceCap}
 * @param onDemand whether memory can be paged in on demand
 */
record KernelOffers(long capabilities, boolean onDemand) {
    /** The command for the guest; {@link #of} reads its output. */
    static final String COMMAND = "ibv_devinfo -v -d rxe0";

    private static final String CAPABILITIES = "device_cap_flags_ex:";
    private static final String ON_DEMAND = "general_odp_caps:";

    /** Reads the lines of {@link #COMMAND}, which may be mixed with others. */
    static KernelOffers of(List<String> lines) {
        List<String> words = lines.stream().map(String::strip).toList();
        String bits = words.stream()
                .filter(line -> line.startsWith(CAPABILITIES))
                .map(line -> line.substring(CAPABILITIES.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("ibv_devinfo says nothing of rxe0: " + lines));
        // The names of the bits follow, one per line.
        int at = words.indexOf(ON_DEMAND);
        boolean onDemand = words.subList(at + 1, words.size()).stream()
                .takeWhile(line -> !line.endsWith(":"))
                .anyMatch("ODP_SUPPORT"::equals);
        return new KernelOffers(Long.decode(bits), onDemand);
    }

    boolean has(long capability) {
        return (capabilities & capability) == capability;
    }
}
