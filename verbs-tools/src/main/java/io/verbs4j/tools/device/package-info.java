/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Which devices there are, and what they say of themselves. */
package io.verbs4j.tools.device;
