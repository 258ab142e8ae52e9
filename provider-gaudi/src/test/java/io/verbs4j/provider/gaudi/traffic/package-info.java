/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes between simulated Gaudi devices through Java's rings. */
package io.verbs4j.provider.gaudi.traffic;
