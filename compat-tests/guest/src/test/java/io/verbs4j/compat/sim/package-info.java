/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests on simulated devices under the vendors' own libraries. */
package io.verbs4j.compat.sim;
