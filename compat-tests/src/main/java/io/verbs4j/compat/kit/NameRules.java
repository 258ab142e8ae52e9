/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.reflect.Method;

/** R1 again: names that are reserved for the header. */
interface NameRules {
    @Rule(
            id = "R1.12",
            says = "a subclass of a header's class has no method, of an interface neither, but private ones and"
                    + " overrides of the header's",
            look = {"QueuePair.postSend", "CompletionQueue.poll", "ContextOps.allocPd"},
            man = "the Javadoc of VerbsObject (Reserved names)")
    default void r112ReservedNames(NameRig rig) {
        rig.meetAll();
        StringBuilder found = new StringBuilder();
        for (Class<?> type : rig.met) {
            for (Class<?> c = type; c != null && !Authors.isHeader(c); c = c.getSuperclass()) {
                for (Method method : NameRig.reserved(c)) {
                    found.append(found.isEmpty() ? "" : ", ").append(NameRig.words(method));
                }
            }
        }
        Seen.check(
                found.isEmpty(),
                "a later header may use these names: " + found
                        + "; move the methods to an object of your own, held in a field");
    }
}
