/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The devices of this machine, and what they report about themselves. */
package io.verbs4j.tools.device;
